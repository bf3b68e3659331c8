//! Drawings as other programs write them, and as nobody should.

use super::*;

const METRES: DrawingOptions = DrawingOptions {
    scale: None,
    fit: None,
    stroke: None,
};

fn drawn(body: &str) -> Result<DrawnLine, SvgError> {
    let head = format!("<svg xmlns=\"{SVG}\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">");
    read_drawing(&format!("{head}{body}</svg>"), &METRES)
}

fn read(data: &str) -> Result<Vec<[f64; 2]>, SvgError> {
    let body = format!("<path d=\"{data}\" stroke=\"black\"/>");
    Ok(drawn(&body)?.points)
}

fn check_points(points: &[[f64; 2]], expected: &[[f64; 2]]) {
    assert_eq!(points.len(), expected.len(), "{points:?}");
    for (point, expected) in points.iter().zip(expected) {
        let near = (point[0] - expected[0]).hypot(point[1] - expected[1]) < 1e-5;
        assert!(near, "{points:?}");
    }
}

fn check(data: &str, expected: &[[f64; 2]]) {
    check_points(&read(data).unwrap(), expected);
}

#[test]
fn lines_absolute_relative_repeated_and_packed() {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
    check("M0 0L1 0 1 1 0 1Z", &square);
    check("M 0,0 1,0 1,1 0,1 z", &square);
    check("m0 0 1 0 0 1-1 0z", &square);
    check("M0 0H1V1H0Z", &square);
    check("M0 0h1v1h-1v-1", &square);
    check("M1e0.5l.5.5-1.5-0", &[[1.0, 0.5], [1.5, 1.0], [0.0, 1.0]]);
}

/// Every flattened point lies on the circle within a millimetre, and it turns all the way.
fn check_circle(points: &[[f64; 2]], center: [f64; 2], radius: f64, turn: f64) {
    let away = |p: &[f64; 2]| (p[0] - center[0]).hypot(p[1] - center[1]);
    assert!(
        points.iter().all(|p| (away(p) - radius).abs() < 2e-3),
        "{points:?}"
    );
    let angle = |p: &[f64; 2]| (p[1] - center[1]).atan2(p[0] - center[0]);
    let step = |pair: &[[f64; 2]]| {
        let step = angle(&pair[1]) - angle(&pair[0]);
        (step + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI
    };
    let total: f64 = points.windows(2).map(step).sum();
    assert!((total - turn).abs() < 1e-4, "turns by {total}");
}

#[test]
fn arcs_take_the_way_their_flags_say() {
    use std::f64::consts::FRAC_PI_2;
    let check = |data: &str, center, radius, turn| {
        check_circle(&read(data).unwrap(), center, radius, turn);
    };
    check("M2 0A2 2 0 0 1 0 2", [0.0, 0.0], 2.0, FRAC_PI_2);
    check("M2 0A2 2 0 1 0 0 2", [0.0, 0.0], 2.0, -3.0 * FRAC_PI_2);
    check("M2 0a2 2 0 00-2 2", [2.0, 2.0], 2.0, -FRAC_PI_2);
    check("M2 0a2 2 30 11-2 2", [2.0, 2.0], 2.0, 3.0 * FRAC_PI_2);
    check("M1 0A.1 .1 0 0 1 -1 0", [0.0, 0.0], 1.0, 2.0 * FRAC_PI_2);
}

#[test]
fn cubics_and_quadratics_with_their_smooth_forms() {
    let k = 0.5522847498; // the usual cubic for a quarter circle, good to 3e-4
    let points = read(&format!("M1 0C1 {k} {k} 1 0 1S-1 {k} -1 0")).unwrap();
    check_circle(&points, [0.0, 0.0], 1.0, std::f64::consts::PI);
    let parabola = read("M0 0Q1 2 2 0T4 0").unwrap();
    let height = |x: f64| match x <= 2.0 {
        true => x * (2.0 - x),
        false => (x - 2.0) * (x - 4.0),
    };
    assert!(parabola.len() > 20);
    assert!(
        parabola.iter().all(|p| (p[1] - height(p[0])).abs() < 1e-5),
        "{parabola:?}"
    );
}

#[test]
fn every_shape_is_followed() {
    let stroked = |shape: &str| {
        drawn(&shape.replace("/>", " stroke='red'/>"))
            .unwrap()
            .points
    };
    check_points(
        &stroked("<line x1='1' y1='2' x2='3' y2='4'/>"),
        &[[1.0, 2.0], [3.0, 4.0]],
    );
    let corner = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]];
    check_points(&stroked("<polyline points='0,0 2,0 2,1'/>"), &corner);
    let closed = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 0.0]];
    check_points(&stroked("<polygon points='0 0 2 0 2 1'/>"), &closed);
    let rect = [[1.0, 1.0], [3.0, 1.0], [3.0, 2.0], [1.0, 2.0], [1.0, 1.0]];
    check_points(&stroked("<rect x='1' y='1' width='2' height='1'/>"), &rect);
    let turn = std::f64::consts::TAU;
    check_circle(
        &stroked("<circle cx='1' cy='2' r='3'/>"),
        [1.0, 2.0],
        3.0,
        turn,
    );
    let ellipse = stroked("<ellipse cx='0' cy='0' rx='4' ry='2'/>");
    let squeezed: Vec<_> = ellipse.iter().map(|p| [p[0] / 2.0, p[1]]).collect();
    check_circle(&squeezed, [0.0, 0.0], 2.0, turn);
}

#[test]
fn transforms_and_units_are_applied() {
    let moved = "<g transform='translate(10 0) scale(2)'><g transform='rotate(90)'>\
                 <path stroke='black' d='M0 0L1 0'/></g></g>";
    check_points(&drawn(moved).unwrap().points, &[[10.0, 0.0], [10.0, 2.0]]);
    // CSS: 96 user units an inch
    let inches = "<line stroke='black' x1='0' y1='0' x2='1in' y2='25.4mm'/>";
    check_points(&drawn(inches).unwrap().points, &[[0.0, 0.0], [96.0, 96.0]]);
    let shown =
        "<defs><path id='a' d='M0 0L1 0' stroke='black'/></defs><use xlink:href='#a' x='3'/>";
    check_points(&drawn(shown).unwrap().points, &[[3.0, 0.0], [4.0, 0.0]]);
}

/// As Inkscape writes it: millimetres, a layer with a transform, styles, a clip path and a guide.
const INKSCAPE: &str = r##"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg width="210mm" height="297mm" viewBox="0 0 210 297" version="1.1" id="svg1"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns="http://www.w3.org/2000/svg">
  <sodipodi:namedview id="namedview1" inkscape:document-units="mm"/>
  <defs id="defs1">
    <clipPath clipPathUnits="userSpaceOnUse" id="clip"><path d="M 0,0 H 900 V 900 Z"/></clipPath>
    <marker id="arrow" orient="auto"><path d="M 0,0 L 99,99" style="stroke:#000"/></marker>
  </defs>
  <g inkscape:groupmode="layer" id="layer1" transform="translate(-10,-20)" clip-path="url(#clip)">
    <path style="fill:none;stroke:#000000;stroke-width:0.26;marker-end:url(#arrow)"
       d="m 30,40 h 100" id="path1" inkscape:connector-curvature="0" />
    <path style="fill:none;stroke:#000000" d="m 130,50 v 100" id="path2" />
    <path style="fill:none;stroke:#000000;display:none" d="m 0,0 v 7" id="path3" />
  </g>
</svg>"##;

/// As Illustrator writes it: entities for namespaces, classes, points, an unpainted frame.
const ILLUSTRATOR: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: a drawing program, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
	<!ENTITY ns_svg "http://www.w3.org/2000/svg">
	<!ENTITY ns_xlink "http://www.w3.org/1999/xlink">
]>
<svg version="1.1" id="Layer_1" xmlns="&ns_svg;" xmlns:xlink="&ns_xlink;" x="0px" y="0px"
	 viewBox="0 0 200 100" style="enable-background:new 0 0 200 100;" xml:space="preserve">
<style type="text/css">
	.st0{fill:none;stroke:#1D1D1B;stroke-miterlimit:10;}
	.st1{fill:none;}
</style>
<rect class="st1" width="200" height="100"/>
<polyline class="st0" points="10.5,10.5 60.5,10.5 60.5,50.5 "/>
</svg>"##;

/// As Figma writes it: a filled page, a clip path over all, numbers packed.
const FIGMA: &str = r##"<svg width="512" height="512" viewBox="0 0 512 512" fill="none" xmlns="http://www.w3.org/2000/svg">
<g clip-path="url(#clip0_1_2)">
<rect width="512" height="512" fill="white"/>
<path d="M10 10C10 10 110 10 210 10" stroke="black" stroke-width="4"/>
</g>
<defs>
<clipPath id="clip0_1_2">
<rect width="512" height="512" fill="white"/>
</clipPath>
</defs>
</svg>"##;

#[test]
fn an_inkscape_file_gives_its_drawing_and_not_its_clip_path() {
    let scaled = DrawingOptions {
        scale: Some(0.1),
        ..METRES
    };
    let line = read_drawing(INKSCAPE, &scaled).unwrap();
    let expected = [[2.0, 2.0], [12.0, 2.0], [12.0, 3.0], [12.0, 13.0]];
    check_points(&line.points, &expected);
    assert_eq!(
        line.strokes, 2,
        "hidden lines, markers and clips are not strokes"
    );
    assert!((line.joined - 1.0).abs() < 1e-5, "{}", line.joined);
}

#[test]
fn millimetres_on_a_page_ask_for_a_size_on_the_ground() {
    let unit = "millimetres";
    assert_eq!(
        read_drawing(INKSCAPE, &METRES),
        Err(SvgError::OnPaper { unit })
    );
    let fit = DrawingOptions {
        fit: Some(10.0),
        ..METRES
    };
    let line = read_drawing(INKSCAPE, &fit).unwrap();
    let depth = line.points.iter().map(|p| p[1]).fold(0.0, f64::max);
    // 100 by 110 units: the larger becomes ten metres
    assert!((depth - (20.0 + 110.0) / 11.0).abs() < 1e-4, "{depth}");
}

#[test]
fn illustrator_and_figma_files_give_their_lines() {
    let line = read_drawing(ILLUSTRATOR, &METRES).unwrap();
    check_points(&line.points, &[[10.5, 10.5], [60.5, 10.5], [60.5, 50.5]]);
    let line = read_drawing(FIGMA, &METRES).unwrap();
    let (first, last) = (line.points[0], line.points[line.points.len() - 1]);
    check_points(&[first, last], &[[10.0, 10.0], [210.0, 10.0]]);
    assert_eq!(line.strokes, 1, "the filled page is not a line to follow");
}

#[test]
fn strokes_are_joined_or_chosen() {
    let body =
        "<path stroke='black' d='M0 0H1M1 3H2'/><line stroke='black' x1='5' y1='3' x2='5' y2='4'/>";
    let line = drawn(body).unwrap();
    assert_eq!((line.strokes, line.joined), (3, 6.0));
    assert_eq!(line.points.len(), 6);
    let pick = |stroke| {
        let text = format!("<svg>{body}</svg>");
        let options = DrawingOptions {
            stroke: Some(stroke),
            ..METRES
        };
        read_drawing(&text, &options)
    };
    check_points(&pick(2).unwrap().points, &[[1.0, 3.0], [2.0, 3.0]]);
    for stroke in [0, 4] {
        assert_eq!(pick(stroke), Err(SvgError::NoStroke { stroke, count: 3 }));
    }
}

#[test]
fn outlines_are_followed_where_nothing_is_stroked() {
    assert_eq!(
        drawn("<path d='M0 0H1'/><path fill='none' d='M9 9H8'/>")
            .unwrap()
            .strokes,
        1
    );
    assert_eq!(drawn("<path fill='none' d='M9 9H8'/>").unwrap().strokes, 1);
}

#[test]
fn errors_say_where_and_what() {
    for (body, message) in [
        ("<g/>", "nothing is drawn"),
        ("<path d='M1 1'/>", "nothing is drawn"),
        (
            "\n<path d='L1 1'/>",
            "line 2, column 7 of the file: d=\"L1 1\"",
        ),
        ("<path d='M0 0L1 x'/>", "d=\"M0 0L1 x\""),
        ("<path d='M0 0A1 1 0 2 0 1 1'/>", "d=\"M0 0A1"),
        ("<path d='M0 NaN'/>", "d=\"M0 NaN\""),
        ("<polygon points='0 0 1'/>", "expected pairs of numbers"),
        ("<polygon points='0 0 1 x'/>", "points=\"0 0 1 x\""),
        ("<g transform='turn(3)'/>", "transform=\"turn(3)\""),
        ("<path", "expected a path as JSON or an SVG file"),
        ("<path d='M0 0L1e8 0' stroke='red'/>", "reaches 1e8 m"),
    ] {
        let error = drawn(body).unwrap_err().to_string();
        assert!(error.contains(message), "{body}: {error}");
    }
    let none = read_drawing("hello", &METRES).unwrap_err().to_string();
    assert!(
        none.contains("expected a path as JSON or an SVG file"),
        "{none}"
    );
    let html = read_drawing("<html/>", &METRES).unwrap_err().to_string();
    assert!(html.contains("<html>"), "{html}");
    let both = DrawingOptions {
        scale: Some(1.0),
        fit: Some(1.0),
        stroke: None,
    };
    assert_eq!(read_drawing(FIGMA, &both), Err(SvgError::ScaleAndFit));
    let bad = DrawingOptions {
        scale: Some(-1.0),
        ..METRES
    };
    assert!(matches!(
        read_drawing(FIGMA, &bad),
        Err(SvgError::BadSize { .. })
    ));
}

#[test]
fn huge_pages_are_refused() {
    for attributes in [
        "viewBox='0 0 1e30 1e30'",
        "viewBox='0 0 0 5'",
        "viewBox='0 0 NaN 5'",
        "viewBox='1 2 3'",
        "width='1e30'",
        "width='-3' height='5'",
    ] {
        let text = format!("<svg {attributes}><path d='M0 0L1 1' stroke='red'/></svg>");
        let error = read_drawing(&text, &METRES).unwrap_err();
        assert!(
            matches!(error, SvgError::BadValue { .. }),
            "{attributes}: {error}"
        );
    }
}

#[test]
fn laughs_nests_and_references_are_refused() {
    let mut entities = "<!ENTITY a0 'M0 0L1 1'>".to_string();
    for k in 1..12 {
        let inner = format!("&a{};", k - 1).repeat(10);
        entities += &format!("<!ENTITY a{k} '{inner}'>");
    }
    let laughs = format!("<!DOCTYPE svg [{entities}]><svg xmlns='{SVG}'><path d='&a11;'/></svg>");
    assert!(matches!(
        read_drawing(&laughs, &METRES),
        Err(SvgError::NotSvg { .. })
    ));

    let (open, close) = ("<g>".repeat(100_000), "</g>".repeat(100_000));
    assert_eq!(drawn(&format!("{open}{close}")), Err(SvgError::TooDeep));

    let mut uses = "<g id='u0'><path d='M0 0L1 1' stroke='red'/></g>".to_string();
    for k in 1..30 {
        let inner = format!("<use xlink:href='#u{}'/>", k - 1).repeat(10);
        uses += &format!("<g id='u{k}'>{inner}</g>");
    }
    assert_eq!(drawn(&uses), Err(SvgError::TooMuchShown));
    let many = "<path d='M0 0L1 1' stroke='red'/>".repeat(2000);
    let flat = format!(
        "<g id='a'>{many}</g>{}",
        "<use xlink:href='#a'/>".repeat(2000)
    );
    assert_eq!(drawn(&flat), Err(SvgError::TooMuchShown));
    let itself = "<g id='a'><use xlink:href='#a'/><path stroke='red' d='M0 0H1'/></g>";
    assert_eq!(drawn(itself).unwrap().strokes, 1, "a loop shows nothing");

    let elsewhere = drawn("<use xlink:href='/etc/passwd#a'/>").unwrap_err();
    assert!(
        elsewhere.to_string().contains("within the file"),
        "{elsewhere}"
    );
    let entity =
        "<!DOCTYPE svg [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><svg><text>&e;</text></svg>";
    assert!(read_drawing(entity, &METRES).is_err());
    // a photograph beneath the drawing is common, and is neither followed nor opened
    let traced = "<image xlink:href='/etc/passwd'/><path stroke='red' d='M0 0H1'/>";
    assert_eq!(drawn(traced).unwrap().strokes, 1);
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(data in "[MmLlHhVvCcSsQqTtAaZz0-9eE., +\\-<>é\"']{0,60}") {
        let _ = read(&data);
        let _ = read_drawing(&data, &METRES);
        let _ = drawn(&format!("<polygon points='{data}' transform='{data}'/>"));
    }
}
