//! The page that plays motion: what it carries is the motion, and it needs nothing else.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use afoot_core::{Clip, FrameId, forward_kinematics};
use afoot_draw::{DrawError, Page, PageFigure, draw_page};
use afoot_sample::{SampleOptions, sample_library};
use serde_json::Value;

fn samples() -> Vec<Clip> {
    sample_library(&SampleOptions::default())[..2].to_vec()
}

fn page_of(clips: &[Clip], title: &str) -> String {
    let figures = vec![
        PageFigure::captured(&clips[0].name, &clips[0]),
        PageFigure {
            path: &[[0.0, 0.0], [1.0, 2.0]],
            ..PageFigure::made("</script><b>", &clips[1])
        },
    ];
    draw_page(&Page { title, figures }).unwrap()
}

fn motion_in(html: &str) -> Value {
    let start = html.find("id=\"motion\">").unwrap() + "id=\"motion\">".len();
    let length = html[start..].find("</script>").unwrap();
    serde_json::from_str(&html[start..start + length]).unwrap()
}

/// Slow and obvious: six bits a letter.
fn bytes_of(text: &Value) -> Vec<u8> {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let text = text.as_str().unwrap().trim_end_matches('=');
    let bits: String = text
        .chars()
        .map(|letter| format!("{:06b}", letters.find(letter).unwrap()))
        .collect();
    let bytes = bits.as_bytes().chunks_exact(8);
    bytes
        .map(|bits| u8::from_str_radix(std::str::from_utf8(bits).unwrap(), 2).unwrap())
        .collect()
}

#[test]
fn the_page_carries_every_joint_of_every_frame() {
    let clips = samples();
    let motion = motion_in(&page_of(&clips, "two walks"));
    for (figure, clip) in motion["figures"].as_array().unwrap().iter().zip(&clips) {
        let positions = forward_kinematics(clip);
        let points = positions.points_per_frame();
        assert_eq!(figure["frames"], clip.len());
        assert_eq!(figure["points"], points);
        assert_eq!(figure["fps"], clip.rate.fps());
        let unit = figure["unit"].as_f64().unwrap();
        let roots = bytes_of(&figure["roots"]);
        let offsets = bytes_of(&figure["offsets"]);
        assert_eq!(offsets.len(), clip.len() * points * 6);
        for frame in 0..clip.len() {
            for (point, place) in positions.frame(FrameId::from(frame)).iter().enumerate() {
                for (axis, &expected) in place.to_array().iter().enumerate() {
                    let at = 4 * (3 * frame + axis);
                    let root = f32::from_le_bytes(roots[at..at + 4].try_into().unwrap());
                    let at = 2 * (3 * (frame * points + point) + axis);
                    let offset = i16::from_le_bytes(offsets[at..at + 2].try_into().unwrap());
                    let found = f64::from(root) + unit * f64::from(offset);
                    let off = (found - f64::from(expected)).abs();
                    assert!(off < 1e-4, "{frame} {point}: {found} is not {expected}");
                }
            }
        }
    }
}

#[test]
fn limbs_have_their_sides_and_feet_their_plants() {
    let motion = motion_in(&page_of(&samples(), "walks"));
    let figure = &motion["figures"][1];
    let count = |side: u64| {
        let bones = figure["bones"].as_array().unwrap().iter();
        bones.filter(|bone| bone[2] == side).count()
    };
    assert!(
        count(1) >= 7 && count(1) == count(2),
        "{} {}",
        count(1),
        count(2)
    );
    assert!(count(0) >= 3);
    let plants = figure["plants"].as_array().unwrap();
    assert!(plants.iter().any(|plant| plant[2] == 0) && plants.iter().any(|plant| plant[2] == 1));
    assert_eq!(figure["path"].as_array().unwrap().len(), 3);
    assert_eq!(motion["figures"][0]["kind"], "captured");
}

#[test]
fn the_page_needs_nothing_but_itself() {
    let html = page_of(&samples(), "a <title> & more");
    for outside in [
        "http://", "https://", "src=", "@import", "url(", "fetch(", "XMLHttp",
    ] {
        assert!(!html.contains(outside), "{outside}");
    }
    assert!(
        html.contains(
            "<title>a &lt;title> & more</title>"
                .replace(" & ", " &amp; ")
                .as_str()
        )
    );
    // whatever a clip is called, the script ends where the page ends it
    assert_eq!(html.matches("</script>").count(), 2);
    assert_eq!(html.matches("{{").count(), 0);
}

#[test]
fn long_motion_is_thinned_and_none_is_refused() {
    let clip = &samples()[0];
    let mut long = clip.clone();
    while long.len() < 40_000 {
        for frame in 0..clip.len() {
            long.push_pose(&clip.pose(FrameId::from(frame)));
        }
    }
    long.contacts.clear();
    let html = draw_page(&Page {
        title: "long",
        figures: vec![PageFigure::made("long", &long)],
    });
    let figure = &motion_in(&html.unwrap())["figures"][0];
    let (frames, fps) = (
        figure["frames"].as_f64().unwrap(),
        figure["fps"].as_f64().unwrap(),
    );
    assert!(frames <= 18_000.0 && (frames / fps - long.seconds()).abs() < 0.2);
    let empty = Page::default();
    assert!(matches!(draw_page(&empty), Err(DrawError::Empty(_))));
}
