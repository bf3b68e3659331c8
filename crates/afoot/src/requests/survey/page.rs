//! A survey as one HTML file that needs nothing else.

use std::fmt::Write;

use super::maps::Map;
use super::{SetSurveyed, Survey, SurveyMade, Surveyed};

/// The page.
pub(super) fn page(
    made: &SurveyMade,
    surveyed: &Surveyed,
    chosen: &[usize],
    asked: &Survey,
) -> String {
    let mut body = String::new();
    let main = &made.main;
    let _ = write!(
        body,
        "<h1>What this motion can do here</h1><p>{} choices and {} moves of the motion graph became {} states and {} \
         links in cells of {} m and {}°, bent by up to {} cm and {}° a metre. Motion passes <b>{:.1} %</b> of the free \
         ground, and <b>{:.1} %</b> of its places and headings together. Between {} pairs of places the way is \
         <b>{:.2} %</b> longer than it need be in the median, {:.1} % at the 95th percentile; {} pairs no motion joins.</p>",
        main.choices,
        main.moves,
        main.nodes,
        main.links,
        asked.embed.cell_m,
        asked.embed.yaw_deg,
        asked.embed.edit,
        asked.embed.edit,
        100.0 * main.coverage_xz,
        100.0 * main.coverage_xza,
        main.paths.samples,
        100.0 * (main.paths.median - 1.0),
        100.0 * (main.paths.p95 - 1.0),
        main.paths.unreached
    );
    for warning in &made.warnings {
        let _ = write!(body, "<p class='warning'>{}</p>", escaped(warning));
    }
    maps(&mut body, made, surveyed, chosen);
    suggestions(&mut body, made);
    sets(&mut body, made);
    edits(&mut body, made);
    cells(&mut body, made);
    capabilities(&mut body, made);
    switches(&mut body, made);
    format!(
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Survey</title><style>{STYLE}</style><main>{body}</main></html>"
    )
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;color:#222;background:#fafafa;margin:0}\
main{max-width:1080px;margin:2rem auto;padding:0 1rem}.maps{display:grid;grid-template-columns:repeat(auto-fill,\
minmax(300px,1fr));gap:1.2rem}figure{margin:0}figcaption{font-size:.9rem;color:#555}svg{width:100%;height:auto}\
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .8rem;border-bottom:1px solid #ddd;text-align:right}\
th:first-child,td:first-child{text-align:left}.warning{background:#fff3cd;padding:.5rem .8rem;border-left:4px solid #d39e00}\
small{color:#777}";

fn maps(body: &mut String, made: &SurveyMade, surveyed: &Surveyed, chosen: &[usize]) {
    let Surveyed {
        embedding,
        coverage,
        paths,
        ..
    } = surveyed;
    let world = embedding.world;
    let covered = Map::new(world)
        .values(
            coverage,
            |place| f64::from(coverage.headings[place]),
            "#2e7d4f",
        )
        .shapes()
        .finish();
    let deepest = coverage.worst.iter().copied().filter(|far| far.is_finite());
    let deepest = f64::from(deepest.fold(0.0f32, f32::max)).max(1e-6);
    let holes = Map::new(world)
        .values(
            coverage,
            |place| f64::from(coverage.worst[place]).min(deepest) / deepest,
            "#d9822b",
        )
        .shapes()
        .holes(&coverage.holes)
        .finish();
    body.push_str("<h2>Maps</h2><div class='maps'>");
    figure(
        body,
        &covered,
        "Coverage: the greener, the more headings motion passes with.",
    );
    let words = format!(
        "Holes: how far motion is from the worst heading at each place, at most {deepest:.2} m. Arrows: the {} \
         largest.",
        made.holes.len()
    );
    figure(body, &holes, &words);
    for &index in chosen {
        let sample = &paths[index];
        let Some(path) = &sample.path else {
            continue;
        };
        let map = Map::new(world)
            .shapes()
            .way(&embedding.way_of(path), "#1f5fbf", false);
        let words = format!(
            "{:.2} m, where {:.2} m would do: {:.3} times as long.",
            path.length,
            sample.free,
            path.length / sample.free
        );
        figure(body, &map.finish(), &words);
    }
    body.push_str("</div>");
}

fn figure(body: &mut String, map: &str, words: &str) {
    let _ = write!(
        body,
        "<figure>{map}<figcaption>{}</figcaption></figure>",
        escaped(words)
    );
}

fn suggestions(body: &mut String, made: &SurveyMade) {
    if made.suggestions.is_empty() {
        return;
    }
    body.push_str(
        "<h2>What to capture next</h2><p>What each would add at most, if it joined the graph wherever one may \
         choose.</p><table><tr><th>motion</th><th>ground</th><th>with headings</th><th>95th percentile</th><th>poor \
         paths</th></tr>",
    );
    for row in &made.suggestions {
        let _ = write!(
            body,
            "<tr><td>{}</td><td>{:+.1} %</td><td>{:+.1} %</td><td>{:+.3}</td><td>{:+.1} %</td></tr>",
            escaped(&row.words),
            100.0 * row.gain_xz,
            100.0 * row.gain_xza,
            -row.gain_p95,
            -100.0 * row.gain_poor
        );
    }
    body.push_str("</table>");
}

fn sets(body: &mut String, made: &SurveyMade) {
    body.push_str(
        "<h2>Sets of clips</h2><table><tr><th>set</th><th>source frames</th><th>graph frames</th><th>states</th>\
         <th>links</th><th>XZ</th><th>XZA</th><th>median</th><th>95 %</th><th>&gt; 1.1</th><th>&gt; 1.25</th>\
         <th>unreached</th></tr>",
    );
    for set in std::iter::once(&made.main).chain(&made.compare) {
        set_row(body, set);
    }
    body.push_str("</table>");
}

fn set_row(body: &mut String, set: &SetSurveyed) {
    let paths = &set.paths;
    let [low, high] = paths.intervals.above_1_1;
    let _ = write!(
        body,
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.3}</td><td>{:.3}</td><td>{:.4}</td>\
         <td>{:.3}<br><small>{:.3}–{:.3}</small></td><td>{:.1} %<br><small>{:.1}–{:.1}</small></td><td>{:.1} %</td><td>{} of {}</td></tr>",
        escaped(&set.name),
        set.source_frames,
        set.graph_frames,
        set.nodes,
        set.links,
        set.coverage_xz,
        set.coverage_xza,
        paths.median,
        paths.p95,
        paths.intervals.p95[0],
        paths.intervals.p95[1],
        100.0 * paths.above_1_1,
        100.0 * low,
        100.0 * high,
        100.0 * paths.above_1_25,
        paths.unreached,
        paths.samples
    );
}

fn edits(body: &mut String, made: &SurveyMade) {
    if made.edits.is_empty() {
        return;
    }
    body.push_str(
        "<h2>How far motion is bent</h2><table><tr><th>size</th><th>always linked: XZ</th><th>XZA</th><th>within \
         limits: XZ</th><th>XZA</th><th>regions without a cell</th></tr>",
    );
    for row in &made.edits {
        let _ = write!(
            body,
            "<tr><td>{}</td><td>{:.3}</td><td>{:.3}</td><td>{:.3}</td><td>{:.3}</td><td>{:.0} %</td></tr>",
            row.edit,
            row.always.coverage_xz,
            row.always.coverage_xza,
            row.within.coverage_xz,
            row.within.coverage_xza,
            100.0 * row.empty_edit_share
        );
    }
    body.push_str("</table>");
}

fn cells(body: &mut String, made: &SurveyMade) {
    if made.cells.is_empty() {
        return;
    }
    body.push_str(
        "<h2>Finer and coarser cells</h2><table><tr><th>cell</th><th>headings apart</th><th>states</th><th>links</th>\
         <th>XZ</th><th>XZA</th><th>regions without a cell</th></tr>",
    );
    for row in &made.cells {
        let _ = write!(
            body,
            "<tr><td>{} m</td><td>{:.1}°</td><td>{}</td><td>{}</td><td>{:.3}</td><td>{:.3}</td><td>{:.0} %</td></tr>",
            row.cell_m,
            row.yaw_deg,
            row.found.nodes,
            row.found.links,
            row.found.coverage_xz,
            row.found.coverage_xza,
            100.0 * row.empty_edit_share
        );
    }
    body.push_str("</table>");
    body.push_str(&cell_plot(made));
}

/// XZA and the share of empty regions against the width of cells.
fn cell_plot(made: &SurveyMade) -> String {
    let widest = made.cells.iter().map(|row| row.cell_m).fold(1e-6, f64::max);
    let line = |value: &dyn Fn(&super::CellSurveyed) -> f64, colour: &str| {
        let mut rows: Vec<&super::CellSurveyed> = made.cells.iter().collect();
        rows.sort_by(|a, b| a.cell_m.total_cmp(&b.cell_m));
        let points: Vec<String> = rows
            .iter()
            .map(|row| {
                format!(
                    "{:.1},{:.1}",
                    40.0 + 340.0 * row.cell_m / widest,
                    180.0 - 160.0 * value(row)
                )
            })
            .collect();
        let dots: String = points
            .iter()
            .filter_map(|point| point.split_once(','))
            .map(|(x, y)| format!("<circle cx='{x}' cy='{y}' r='3' fill='{colour}'/>"))
            .collect();
        format!(
            "<polyline points='{}' fill='none' stroke='{colour}' stroke-width='2'/>{dots}",
            points.join(" ")
        )
    };
    format!(
        "<svg viewBox='0 0 420 210' style='max-width:520px'><path d='M40,20V180H390' fill='none' stroke='#777'/>\
         <text x='8' y='26' font-size='12'>1</text><text x='8' y='184' font-size='12'>0</text>\
         <text x='330' y='202' font-size='12'>{widest} m</text><text x='60' y='14' font-size='12' fill='#2e7d4f'>XZA</text>\
         <text x='110' y='14' font-size='12' fill='#b3261e'>regions without a cell</text>{}{}</svg>",
        line(&|row| row.found.coverage_xza, "#2e7d4f"),
        line(&|row| row.empty_edit_share, "#b3261e")
    )
}

fn capabilities(body: &mut String, made: &SurveyMade) {
    if made.capabilities.is_empty() {
        return;
    }
    body.push_str("<h2>What can be done where</h2><table><tr><th>motion</th><th>share of the free ground</th></tr>");
    for row in &made.capabilities {
        let _ = write!(
            body,
            "<tr><td>{}</td><td>{:.1} %</td></tr>",
            escaped(&row.label),
            100.0 * row.share
        );
    }
    body.push_str("</table>");
}

fn switches(body: &mut String, made: &SurveyMade) {
    if made.switches.is_empty() {
        return;
    }
    body.push_str(
        "<h2>From one thing to another</h2><table><tr><th>from</th><th>to</th><th>seconds in the mean</th><th>at \
         worst</th></tr>",
    );
    for row in &made.switches {
        let _ = write!(
            body,
            "<tr><td>{}</td><td>{}</td><td>{:.2}</td><td>{:.2}</td></tr>",
            escaped(&row.from),
            escaped(&row.to),
            row.seconds,
            row.most
        );
    }
    body.push_str("</table>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
