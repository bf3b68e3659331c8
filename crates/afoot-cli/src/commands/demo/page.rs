//! The demo's page: a player, then plain HTML with pictures and tables; no network.

use afoot::{ImportReport, Quality, bar_of};

use crate::report::total_seconds;

/// A picture and what it shows.
pub struct Figure {
    pub file: String,
    pub words: String,
}

/// A motion that was made.
pub struct Row {
    pub name: String,
    pub quality: Quality,
}

/// Everything on the page.
#[derive(Default)]
pub struct Page {
    /// The file of the player.
    pub player: Option<String>,
    import: String,
    pub clips: Vec<Figure>,
    pub graph: String,
    pub graph_figures: Vec<Figure>,
    pub motions: Vec<Row>,
    /// What comes of the story.
    pub story: Vec<Figure>,
    /// The page of the steered character, and what is told of its file.
    pub steered: Option<String>,
    pub baked: String,
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#222}\
h1,h2{line-height:1.2}figure{margin:1rem 0}img{max-width:100%;border:1px solid #ddd}\
figcaption{color:#555;font-size:.9rem}table{border-collapse:collapse}td,th{padding:.25rem .75rem;\
border-bottom:1px solid #ddd;text-align:right}td:first-child,th:first-child{text-align:left}\
iframe{width:100%;height:34rem;border:0;border-radius:8px;background:#11141a}\
.legend i{display:inline-block;width:.75rem;height:.75rem;border-radius:50%;margin:0 .35rem 0 1rem}\
.bad{color:#b00}details{margin:1rem 0}code{background:#f4f4f4;padding:0 .25rem}";

/// What colours mean, in the player and on the sheets.
const LEGEND: &str = "<p class=\"legend\"><i style=\"background:#1f62c4\"></i>left limbs \
<i style=\"background:#e2601c\"></i>right limbs <i style=\"background:#28282e\"></i>trunk and head \
<i style=\"background:#129646\"></i>planted feet (in the player in their side's colour) \
<i style=\"background:#963ca0\"></i>the root's way over the ground</p>\n";

impl Page {
    /// Notes what was imported.
    pub fn facts(&mut self, report: &ImportReport) {
        let seconds = total_seconds(report.clips.iter().map(|clip| clip.seconds));
        let repairs: usize = report.clips.iter().map(|clip| clip.repairs.len()).sum();
        self.import = format!(
            "{} clips, {seconds:.0} s with their mirror images; {repairs} repairs",
            report.clips.len()
        );
    }

    /// The whole page.
    pub fn html(&self) -> String {
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Afoot</title>\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<style>{STYLE}</style>\n\
             <h1>Afoot: new motion out of captured motion</h1>\n"
        );
        if let Some(player) = &self.player {
            html += &format!(
                "<iframe src=\"{player}\" title=\"Captured and made motion, played\"></iframe>\n\
                 <p>A captured walk (pale) beside motion made along a figure eight. \
                 <a href=\"{player}\">On a page of its own</a>.</p>\n"
            );
        }
        html += LEGEND;
        html += &format!(
            "<h2>The library</h2>\n<p>{}. Files: <code>bvh/</code>, library: \
             <code>sample.afoot</code>.</p>\n",
            escape(&self.import)
        );
        html += "<details><summary>All clips as stick figures</summary>\n";
        self.clips.iter().for_each(|clip| html += &figure(clip));
        html += "</details>\n<h2>The motion graph</h2>\n";
        html += &format!("<p>{}.</p>\n", escape(&self.graph));
        self.graph_figures
            .iter()
            .for_each(|picture| html += &figure(picture));
        if !self.story.is_empty() {
            html += "<h2>A story</h2>\n<p>Three actors of a script: <a href=\"stories/meeting.play\">meeting.play</a>, \
                     <a href=\"stories/meeting/Square/scene.glb\">glTF with all and the camera</a>.</p>\n";
            self.story
                .iter()
                .for_each(|picture| html += &figure(picture));
        }
        html += "<h2>Motion on request</h2>\n";
        html += &self.table();
        for Row { name, .. } in &self.motions {
            let name = escape(name);
            html += &format!(
                "<h3>{name}</h3>\n<p><a href=\"motion/{name}.bvh\">BVH</a> \
                 <a href=\"motion/{name}.glb\">glTF</a> <a href=\"motion/{name}.json\">path</a> \
                 <a href=\"motion/{name}.html\">player</a></p>\n"
            );
            let pictures = [
                ("_plan.png", "asked and walked, from above"),
                (".png", "the motion"),
            ];
            for (ending, words) in pictures {
                let file = format!("motion/{name}{ending}");
                html += &figure(&Figure {
                    file,
                    words: words.into(),
                });
            }
        }
        html + &self.steering()
    }

    /// The last part: a character to be steered.
    fn steering(&self) -> String {
        let mut html = format!("<h2>Steer it yourself</h2>\n<p>{}.</p>\n", self.baked);
        match &self.steered {
            Some(file) => {
                html += &format!(
                    "<iframe src=\"{file}\" title=\"A character steered by keys\"></iframe>\n\
                     <p>Click it, then hold an arrow key. <a href=\"{file}\">On a page of its own</a>.</p>\n"
                );
            }
            None => html += "<p>This program was built without the runtime for pages.</p>\n",
        }
        html
    }

    /// A line per motion, for the terminal.
    pub fn words(&self) -> String {
        let line = |Row { name, quality }: &Row| {
            format!(
                "{name}: {:.1} s, path {:.3} m mean {:.3} m max, skate {:.2} cm/s, {:.0} times real time\n",
                quality.seconds,
                quality.path_mean_m.unwrap_or(0.0),
                quality.path_max_m.unwrap_or(0.0),
                quality.skate_cm_s.unwrap_or(0.0),
                quality.realtime.unwrap_or(0.0),
            )
        };
        format!(
            "{}\n{}\n{}",
            self.import,
            self.graph,
            self.motions.iter().map(line).collect::<String>()
        )
    }

    fn table(&self) -> String {
        let heads = [
            "motion",
            "seconds",
            "path mean [m]",
            "path max [m]",
            "skate [cm/s]",
            "slide [mm]",
            "sink [cm]",
            "jump ratio",
            "acceleration ratio",
            "transitions",
            "times real time",
        ];
        let head: String = heads
            .iter()
            .map(|head| format!("<th>{head}</th>"))
            .collect();
        let mut html = format!("<table>\n<tr>{head}</tr>\n");
        for Row { name, quality: q } in &self.motions {
            let bar = |measure| bar_of(measure).map(|bar| bar.limit.value());
            let cells = [
                cell(Some(q.seconds), 1, None),
                cell(q.path_mean_m, 3, None),
                cell(q.path_max_m, 3, None),
                cell(q.skate_cm_s, 2, bar("skate_cm_s")),
                cell(q.slide_mm, 2, bar("slide_mm")),
                cell(q.sink_cm, 2, bar("sink_cm")),
                cell(q.jump_ratio, 2, bar("jump_ratio")),
                cell(q.acceleration_ratio, 2, bar("acceleration_ratio")),
                cell(q.transitions.map(|count| count as f64), 0, None),
                cell(q.realtime, 0, None),
            ];
            html += &format!("<tr><td>{}</td>{}</tr>\n", escape(name), cells.concat());
        }
        html + "</table>\n"
    }
}

/// A number in a table; above its bar it is marked.
fn cell(value: Option<f64>, digits: usize, bar: Option<f64>) -> String {
    match value {
        None => "<td></td>".into(),
        Some(value) => {
            let class = if bar.is_some_and(|bar| value > bar) {
                " class=\"bad\""
            } else {
                ""
            };
            format!("<td{class}>{value:.digits$}</td>")
        }
    }
}

fn figure(picture: &Figure) -> String {
    let (file, words) = (escape(&picture.file), escape(&picture.words));
    format!(
        "<figure><img src=\"{file}\" alt=\"{words}\" loading=\"lazy\"><figcaption>{words}</figcaption></figure>\n"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}
