//! A stroke font for printable ASCII, drawn by hand on a grid.
//!
//! Each glyph is a list of strokes; a stroke is a list of points, two digits each, x then y up.
//! Baseline y = 2, small letters reach 6, capitals 8, descenders 0. Characters outside ASCII
//! become boxes, except for the few in [`fold`].

/// Grid units from baseline to the top of a capital.
pub const CAPITAL: f32 = 6.0;
/// Grid y of the baseline.
pub const BASELINE: f32 = 2.0;
const GAP: f32 = 2.0;

/// The strokes of a character in grid units, and the width up to the next character.
pub fn glyph(character: char) -> (Vec<Vec<[f32; 2]>>, f32) {
    let code = strokes_of(fold(character));
    let strokes: Vec<Vec<[f32; 2]>> = code.split_ascii_whitespace().map(points).collect();
    let right = strokes.iter().flatten().map(|p| p[0]).fold(0.0, f32::max);
    let width = if strokes.is_empty() { 2.0 } else { right };
    (strokes, width + GAP)
}

/// Width of a line of text in grid units.
pub fn line_width(text: &str) -> f32 {
    let total: f32 = text.chars().map(|c| glyph(c).1).sum();
    (total - GAP).max(0.0)
}

fn points(code: &str) -> Vec<[f32; 2]> {
    let digit = |byte: u8| f32::from(byte - b'0');
    code.as_bytes()
        .chunks_exact(2)
        .map(|pair| [digit(pair[0]), digit(pair[1])])
        .collect()
}

/// Typographic characters that our captions use, as their plain relatives.
fn fold(character: char) -> char {
    match character {
        '–' | '—' | '−' => '-',
        '·' | '•' => '.',
        '’' | '‘' => '\'',
        '→' => '>',
        '×' => 'x',
        other => other,
    }
}

fn strokes_of(character: char) -> &'static str {
    match character {
        ' ' => "",
        '!' => "0804 0202",
        '"' => "0806 1816",
        '#' => "1228 3248 0444 0646",
        '$' => "473818070615354443321203 2129",
        '%' => "0248 0818170708 3242433332",
        '&' => "42071828370403122244",
        '\'' => "0806",
        '(' => "18070211",
        ')' => "08171201",
        '*' => "2327 0446 4406",
        '+' => "2327 0545",
        ',' => "1301",
        '-' => "0545",
        '.' => "0202",
        '/' => "0138",
        '0' => "180703123243473818 1436",
        '1' => "062822 1232",
        '2' => "07183847460242",
        '3' => "07183847463525 354443321203",
        '4' => "32380444",
        '5' => "480805354443321203",
        '6' => "3818070312324344351504",
        '7' => "084812",
        '8' => "180706153546473818 1504031232434435",
        '9' => "1232434738180706153546",
        ':' => "0606 0202",
        ';' => "1616 1301",
        '<' => "370533",
        '=' => "0646 0444",
        '>' => "073503",
        '?' => "07183847462524 2222",
        '@' => "4212030718384744242646",
        'A' => "022842 1434",
        'B' => "02083847463505 3544433202",
        'C' => "4738180703123243",
        'D' => "02082846442202",
        'E' => "48080242 0535",
        'F' => "480802 0535",
        'G' => "473818070312324525",
        'H' => "0208 4248 0545",
        'I' => "0828 1812 0222",
        'J' => "4843321203",
        'K' => "0208 4805 1642",
        'L' => "080242",
        'M' => "0208254842",
        'N' => "02084248",
        'O' => "180703123243473818",
        'P' => "02083847463505",
        'Q' => "180703123243473818 2441",
        'R' => "02083847463505 2542",
        'S' => "473818070615354443321203",
        'T' => "0848 2822",
        'U' => "080312324348",
        'V' => "082248",
        'W' => "0812253248",
        'X' => "0842 0248",
        'Y' => "082548 2522",
        'Z' => "08480242",
        '[' => "18080111",
        '\\' => "0831",
        ']' => "08181101",
        '^' => "062846",
        '_' => "0141",
        '`' => "0817",
        'a' => "06263532 341403122233",
        'b' => "0802 0516263533221203",
        'c' => "3526160503122233",
        'd' => "3832 3526160503122233",
        'e' => "043435261605031232",
        'f' => "38281712 0626",
        'g' => "3526160503122233 36312010",
        'h' => "0802 0516263532",
        'i' => "0602 0808",
        'j' => "161100 1818",
        'k' => "0802 3603 1432",
        'l' => "080312",
        'm' => "0206 05162522 25364542",
        'n' => "0206 0516263532",
        'o' => "160503122233352616",
        'p' => "0006 0516263533221203",
        'q' => "3036 3526160503122233",
        'r' => "0206 051626",
        's' => "361605332202",
        't' => "181322 0626",
        'u' => "0603122233 3632",
        'v' => "062246",
        'w' => "0612243246",
        'x' => "0632 0236",
        'y' => "0622 4610",
        'z' => "06360232",
        '{' => "28171605141221",
        '|' => "0800",
        '}' => "08171625141201",
        '~' => "05163445",
        _ => "0208383202",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_character_has_its_own_strokes() {
        let codes: std::collections::HashSet<_> =
            (33u8..127).map(|c| strokes_of(c.into())).collect();
        assert_eq!(codes.len(), 94, "two characters share their strokes");
        for byte in 33u8..127 {
            let code = strokes_of(byte.into());
            let whole = code.split(' ').all(|s| s.len() >= 4 && s.len() % 2 == 0);
            assert!(whole, "{} has half a point: {code}", char::from(byte));
            assert!(code.bytes().all(|b| b == b' ' || b.is_ascii_digit()));
        }
    }

    #[test]
    fn glyphs_stay_on_the_grid() {
        for byte in 32u8..127 {
            let (strokes, width) = glyph(byte.into());
            assert!(width > GAP - 0.1 && width <= 4.0 + GAP, "{byte}: {width}");
            assert!(strokes.iter().flatten().all(|p| p[0] <= 4.0 && p[1] <= 9.0));
        }
    }
}
