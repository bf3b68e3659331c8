//! Pictures decoded again: are the colours where they should be?

use std::sync::Arc;

use afoot_core::{
    Clip, Contacts, EndSite, FrameId, FrameRate, Ground, Joint, JointId, LabelSpan, Planar, Pose,
    Quat, Range32, Role, Side, Skeleton, Vec3,
};
use afoot_draw::*;
use tiny_skia::Pixmap;

/// Hips at 1 m, straight legs to the ball of the foot, a head.
fn skeleton() -> Arc<Skeleton> {
    let mut joints = vec![Joint::new("Hips", None, Vec3::ZERO)];
    let mut add = |name: &str, parent: usize, offset: [f32; 3], role| {
        let mut joint = Joint::new(name, Some(JointId::from(parent)), offset.into());
        joint.role = Some(role);
        joints.push(joint);
        joints.len() - 1
    };
    for (side, x) in [(Side::Left, 0.3), (Side::Right, -0.3)] {
        let leg = add(
            &format!("{side:?}UpLeg"),
            0,
            [x, 0.0, 0.0],
            Role::UpLeg(side),
        );
        let foot = add(
            &format!("{side:?}Foot"),
            leg,
            [0.0, -0.9, 0.0],
            Role::Foot(side),
        );
        add(
            &format!("{side:?}Toe"),
            foot,
            [0.0, -0.1, 0.15],
            Role::Toe(side),
        );
    }
    let head = add("Head", 0, [0.0, 0.5, 0.0], Role::Head);
    let end = EndSite {
        parent: JointId::from(head),
        offset: Vec3::new(0.0, 0.2, 0.0),
    };
    Arc::new(Skeleton::new(joints, vec![end]).expect("a valid skeleton"))
}

/// Glides along +z at 1 m/s for `frames` at 30 fps, left foot said to be planted.
fn glide(frames: usize) -> Clip {
    let mut clip = Clip::empty("glide", skeleton(), FrameRate::FPS_30);
    for frame in 0..frames {
        clip.push_pose(&Pose {
            root: Vec3::new(0.0, 1.0, frame as f32 / 30.0),
            rotations: vec![Quat::IDENTITY; 8],
        });
    }
    clip.contacts = vec![Contacts::foot(Side::Left); frames];
    clip.ground = Some(Ground::level(0.0));
    clip
}

fn decode(png: Vec<u8>) -> Pixmap {
    Pixmap::decode_png(&png).expect("a PNG")
}

/// Centre of the pixels of nearly that colour (lines have soft edges), and how many there are.
fn centre_of(picture: &Pixmap, colour: Colour, within: [u32; 4]) -> ([f32; 2], usize) {
    let [x0, y0, x1, y1] = within;
    let (mut sum, mut count) = ([0.0f32; 2], 0);
    for (x, y) in (y0..y1).flat_map(|y| (x0..x1).map(move |x| (x, y))) {
        let pixel = picture.pixel(x, y).expect("inside");
        let far = pixel
            .red()
            .abs_diff(colour.red)
            .max(pixel.green().abs_diff(colour.green));
        if far.max(pixel.blue().abs_diff(colour.blue)) < 50 {
            sum = [sum[0] + x as f32, sum[1] + y as f32];
            count += 1;
        }
    }
    (sum.map(|s| s / count.max(1) as f32), count)
}

fn whole(picture: &Pixmap) -> [u32; 4] {
    [0, 0, picture.width(), picture.height()]
}

#[test]
fn a_sheet_has_a_cell_per_figure_and_a_map() {
    let options = SheetOptions {
        figures: 6,
        columns: 3,
        cell_width: 100,
        cell_height: 200,
        view: View::FRONT,
    };
    let picture = decode(draw_sheet(&glide(60), &options).unwrap());
    assert_eq!((picture.width(), picture.height()), (300 + 400, 30 + 400));
    for cell in 0..6u32 {
        let (x, y) = (cell % 3 * 100, 30 + cell / 3 * 200);
        let area = [x, y, x + 100, y + 200];
        // Seen from the front the left limbs are on the right.
        let (left, left_count) = centre_of(&picture, Colour::LEFT, area);
        let (right, right_count) = centre_of(&picture, Colour::RIGHT, area);
        assert!(
            left_count > 50 && right_count > 50,
            "cell {cell} has no figure"
        );
        assert!(
            left[0] > right[0] + 20.0,
            "cell {cell} is mirrored: {left:?} {right:?}"
        );
        let (plant, planted) = centre_of(&picture, Colour::PLANT, area);
        assert!(planted > 20, "cell {cell} shows no planted foot");
        assert!(
            (plant[0] - left[0]).abs() < 15.0,
            "the planted foot is the left one"
        );
        assert!(plant[1] > left[1], "feet are below legs");
    }
    let (_, traced) = centre_of(&picture, Colour::TRACE, [300, 30, 700, 430]);
    assert!(traced > 100, "no root trace on the map");
}

#[test]
fn who_climbs_or_comes_down_stays_in_the_cell() {
    let options = SheetOptions {
        figures: 4,
        columns: 4,
        ..SheetOptions::default()
    };
    let drawn = |climb: f32| {
        let mut clip = glide(60);
        let roots = clip.root.iter_mut().enumerate();
        roots.for_each(|(frame, root)| root.y += climb * frame as f32 / 59.0);
        let picture = decode(draw_sheet(&clip, &options).unwrap());
        let cell = |index: u32| [index * 150, 30, (index + 1) * 150, 250];
        [0, 1, 2, 3].map(|index| centre_of(&picture, Colour::LEFT, cell(index)).1)
    };
    let level = drawn(0.0)[0] as f32;
    for climb in [3.0, -3.0] {
        for (cell, count) in drawn(climb).into_iter().enumerate() {
            let share = count as f32 / level;
            assert!(share > 0.9, "{climb} m: {share} of a leg in cell {cell}");
        }
    }
}

#[test]
fn travel_goes_to_the_right_in_a_side_view_whatever_its_direction() {
    for yaw in [0.0, 1.0, 3.0, -2.0] {
        let mut clip = glide(60);
        let turn = Planar::new(5.0, -3.0, yaw);
        for frame in 0..clip.len() {
            clip.root[frame] = turn.point3(clip.root[frame]);
            clip.frame_rotations_mut(FrameId::from(frame))[0] = turn.rotation();
        }
        let options = SheetOptions {
            figures: 1,
            cell_width: 200,
            view: View::SIDE,
            ..SheetOptions::default()
        };
        let picture = decode(draw_sheet(&clip, &options).unwrap());
        // The toe of the near (right) foot points to the right of the middle.
        let (foot, count) = centre_of(&picture, Colour::RIGHT, [104, 150, 200, 250]);
        assert!(
            count > 2,
            "no toe to the right of the middle at yaw {yaw}: {foot:?}"
        );
        let (_, behind) = centre_of(&picture, Colour::RIGHT, [0, 150, 95, 250]);
        assert_eq!(behind, 0, "something behind the figure at yaw {yaw}");
    }
}

#[test]
fn a_strip_shows_every_frame_and_marks_the_moment() {
    let options = StripOptions {
        time: 1.0,
        radius: 2,
        sheet: SheetOptions {
            columns: 5,
            cell_width: 80,
            cell_height: 120,
            ..SheetOptions::default()
        },
    };
    let picture = decode(draw_strip(&glide(60), &options).unwrap());
    assert_eq!(
        (picture.width(), picture.height()),
        (5 * 80 + 120, 30 + 120)
    );
    let edge = |column: u32| {
        let area = [column * 80 + 5, 149, column * 80 + 75, 150];
        centre_of(&picture, Colour::TRACE, area).1
    };
    assert!(edge(2) > 50, "the middle cell has no heavy frame");
    assert_eq!(edge(0), 0);
    // At the clip's start there are fewer frames, not a panic.
    let start = StripOptions {
        time: 0.0,
        ..options
    };
    let picture = decode(draw_strip(&glide(60), &start).unwrap());
    assert_eq!(picture.width(), 3 * 80 + 120);
}

#[test]
fn curves_go_where_their_numbers_say() {
    let line = |at: f64, slope: f64| {
        (0..=10)
            .map(f64::from)
            .map(|x| [x, at + slope * x])
            .collect()
    };
    let plot = Plot {
        title: "two lines".into(),
        x_label: "x".into(),
        width: 600,
        panels: vec![Panel {
            y_range: Some([0.0, 10.0]),
            height: 216,
            series: vec![
                Series::line("", line(0.0, 1.0)),
                Series::line("", line(1.0, 0.0)),
            ],
            ..Panel::default()
        }],
        ..Plot::default()
    };
    let picture = decode(draw_plot(&plot).unwrap());
    assert_eq!(picture.width(), 600);
    // Axes: x 64..584, y 48 (top) to 248.
    let column = |x: u32| centre_of(&picture, palette(0), [x, 48, x + 1, 248]).0[1];
    assert!(
        (column(324) - 148.0).abs() < 2.0,
        "middle at {}",
        column(324)
    );
    assert!(
        (column(454) - 98.0).abs() < 2.0,
        "three quarters at {}",
        column(454)
    );
    let flat = centre_of(&picture, palette(1), [64, 200, 584, 260]).0[1];
    assert!((flat - 228.0).abs() < 1.5, "one at {flat}");
}

#[test]
fn bars_cover_their_spans_alone() {
    let band = Band {
        name: "left".into(),
        spans: vec![[2.0, 4.0]],
        colour: Colour::PLANT,
    };
    let plot = Plot {
        x_range: Some([0.0, 10.0]),
        width: 580,
        panels: vec![Panel {
            height: 46,
            bands: vec![band],
            ..Panel::default()
        }],
        ..Plot::default()
    };
    let picture = decode(draw_plot(&plot).unwrap());
    let (centre, count) = centre_of(&picture, Colour::PLANT, whole(&picture));
    assert!((centre[0] - (64.0 + 150.0)).abs() < 1.5, "{centre:?}");
    assert!((count as i32 - 100 * 18).abs() < 250, "{count} pixels");
}

#[test]
fn a_matrix_is_white_at_its_minima_and_marked_there() {
    let (width, height) = (40, 20);
    let value = |x: usize, y: usize| (x as f32 - 30.0).hypot(y as f32 - 5.0);
    let mut values: Vec<f32> = (0..height)
        .flat_map(|y| (0..width).map(move |x| value(x, y)))
        .collect();
    values[19 * 40] = f32::NAN;
    let mark = Mark {
        column: 10,
        row: 15,
        colour: Colour::RIGHT,
    };
    let picture = MatrixPicture {
        values: &values,
        width,
        height,
        marks: &[mark],
        title: "a against b",
        labels: ["b [s]", "a [s]"],
        size: 400,
        ..MatrixPicture::default()
    };
    let drawn = decode(draw_matrix(&picture).unwrap());
    let at = |x: usize, y: usize| {
        drawn
            .pixel(64 + x as u32 * 10 + 5, 46 + y as u32 * 10 + 5)
            .unwrap()
    };
    assert_eq!(
        [at(30, 5).red(), at(30, 5).green(), at(30, 5).blue()],
        [255; 3]
    );
    assert!(at(35, 5).red() < 200 && at(0, 18).red() < at(15, 10).red());
    assert_eq!(at(10, 15).red(), Colour::RIGHT.red);
    assert_eq!(at(10, 15).blue(), Colour::RIGHT.blue);
    assert_eq!(at(0, 19).red(), Colour::FAINT.red, "not a number is grey");
}

#[test]
fn a_large_matrix_keeps_its_minimum_when_made_smaller() {
    let mut values = vec![1.0f32; 1000 * 1000];
    values[777 * 1000 + 333] = 0.0;
    let picture = MatrixPicture {
        values: &values,
        width: 1000,
        height: 1000,
        size: 100,
        ..MatrixPicture::default()
    };
    let drawn = decode(draw_matrix(&picture).unwrap());
    assert_eq!(drawn.pixel(64 + 33, 46 + 77).unwrap().red(), 255);
    assert!(drawn.pixel(64 + 34, 46 + 77).unwrap().red() < 30);
}

#[test]
fn paths_have_equal_scales_and_z_goes_down() {
    let picture = PathPicture {
        title: "a way".into(),
        traces: vec![
            PathTrace::asked("asked", vec![[0.0, 0.0], [4.0, 0.0], [4.0, 2.0]]),
            PathTrace::new("walked", vec![[0.0, 0.0], [4.0, 2.0]]),
        ],
        plants: vec![[0.0, 2.0]],
        size: 440,
    };
    let drawn = decode(draw_paths(&picture).unwrap());
    let (plant, count) = centre_of(&drawn, Colour::PLANT, whole(&drawn));
    assert!(count > 3 && count < 40, "{count}");
    let metre = 100.0; // 440 px over 4.4 m
    assert!((plant[0] - (44.0 + 0.2 * metre)).abs() < 1.5, "{plant:?}");
    assert!((plant[1] - (52.0 + 2.2 * metre)).abs() < 1.5, "{plant:?}");
    assert_eq!(drawn.height(), 52 + 240 + 44);
}

#[test]
fn a_clip_plot_shows_contacts_and_speed() {
    let mut clip = glide(60);
    clip.labels.push(LabelSpan {
        frames: Range32 { start: 0, end: 30 },
        label: "glide".into(),
    });
    let drawn = decode(plot_clip(&clip, &ClipPlotOptions::default()).unwrap());
    let (_, speed) = centre_of(&drawn, Colour::TRACE, whole(&drawn));
    assert!(speed > 500, "no speed curve");
    let bars = [200, 540, 900, 600];
    assert!(
        centre_of(&drawn, Colour::LEFT, bars).1 > 10_000,
        "left contacts missing"
    );
    assert_eq!(
        centre_of(&drawn, Colour::RIGHT, bars).1,
        0,
        "the right foot is not planted"
    );
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let clip = glide(40);
    let options = SheetOptions::default();
    assert_eq!(draw_sheet(&clip, &options), draw_sheet(&clip, &options));
    let options = ClipPlotOptions::default();
    assert_eq!(plot_clip(&clip, &options), plot_clip(&clip, &options));
}

#[test]
fn nothing_to_draw_is_an_error_that_says_so() {
    let empty = glide(0);
    let error = draw_sheet(&empty, &SheetOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "nothing to draw: clip \"glide\" has no frames"
    );
    assert!(matches!(
        draw_plot(&Plot::default()),
        Err(DrawError::Empty(_))
    ));
    assert!(matches!(
        draw_paths(&PathPicture::default()),
        Err(DrawError::Empty(_))
    ));
    let picture = MatrixPicture {
        values: &[1.0; 5],
        width: 2,
        height: 3,
        ..MatrixPicture::default()
    };
    let error = draw_matrix(&picture).unwrap_err();
    assert_eq!(error.to_string(), "the matrix has 5 values, expected 6");
}

#[test]
fn odd_input_still_gives_a_picture() {
    let one = glide(1);
    assert!(decode(draw_sheet(&one, &SheetOptions::default()).unwrap()).width() > 100);
    assert!(decode(plot_clip(&one, &ClipPlotOptions::default()).unwrap()).width() > 100);
    let plot = Plot {
        panels: vec![Panel {
            series: vec![Series::line(
                "gaps",
                vec![[0.0, f64::NAN], [1.0, 2.0], [f64::INFINITY, 3.0]],
            )],
            ..Panel::default()
        }],
        ..Plot::default()
    };
    assert!(decode(draw_plot(&plot).unwrap()).width() == 900);
}
