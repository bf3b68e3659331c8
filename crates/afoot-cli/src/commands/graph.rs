//! `graph`: build or extend the motion graph of a library.

use std::path::{Path, PathBuf};

use afoot_draw::{Panel, Plot, Series, draw_plot};
use afoot_formats::files::write_whole;
use afoot_formats::{WriteOptions, write_motion};
use afoot_graph::{GraphReport, MotionGraph, plant_clips, preview_transition, worst_transition};
use afoot_library::{Library, LibraryGraph};
use clap::Args;
use serde_json::{Value, json};

use crate::console::{Console, table};
use crate::failure::{Failure, Outcome};
use crate::graphs::{StageClock, StageSeconds, graph_failure};
use crate::motion;
use crate::recipe::{GraphOptionArguments, recipe};

#[derive(Debug, Args)]
#[command(allow_negative_numbers = true, after_help = EXAMPLES)]
pub struct GraphArguments {
    /// The library
    library: PathBuf,
    #[command(flatten)]
    options: GraphOptionArguments,
    /// Plot threshold against transitions, frames kept and mean error
    #[arg(long, value_name = "FILE.png")]
    plot: Option<PathBuf>,
    /// Show the kept transition with the largest error, cleaned, as a picture or as motion
    #[arg(long, value_name = "FILE.png|.bvh|.glb")]
    preview: Option<PathBuf>,
    /// Build anew even if the graph is there
    #[arg(long)]
    rebuild: bool,
}

const EXAMPLES: &str = "\
Examples:
  afoot graph lib.afoot --threshold 4
  afoot graph lib.afoot --auto --preview worst.png
  afoot graph lib.afoot --threshold 4 --pair walk,jump=8 --plot tradeoff.png";

pub fn graph(arguments: &GraphArguments, console: &Console) -> Outcome {
    motion::check_picture_file(arguments.plot.as_deref())?;
    if let Some(path) = arguments
        .preview
        .as_deref()
        .filter(|path| !motion::is_picture(path))
    {
        motion::check_motion_file(path)?;
    }
    let recipe = recipe(&arguments.options)?;
    let mut library = Library::open(&arguments.library)?;
    if arguments.rebuild {
        library.forget_graphs()?;
    }
    let clock = StageClock::start(console);
    let built = library.build_graph(&recipe, &clock.run());
    let seconds = clock.stop();
    let (built, report) = built.map_err(graph_failure)?;
    report
        .warnings
        .iter()
        .for_each(|warning| console.warn(warning));
    if let Some(path) = &arguments.plot {
        write_trade_off(&report, path)?;
    }
    if let Some(path) = &arguments.preview {
        write_preview(&library, &built, path)?;
    }
    console.result(
        || report_json(&built.graph, &report, &seconds),
        || report_words(&built.graph, &report, &seconds),
    )
}

fn report_json(graph: &MotionGraph, report: &GraphReport, seconds: &StageSeconds) -> Value {
    let row = |row: &afoot_graph::TradeOff| {
        json!({"threshold_cm": row.threshold_cm, "transitions": row.transitions,
            "share": row.share, "mean_error_cm": row.mean_error_cm})
    };
    let pair = |pair: &afoot_graph::PairThreshold| json!({"a": pair.a, "b": pair.b, "threshold_cm": pair.threshold_cm});
    let set = |set: &afoot_graph::SetExtent| json!({"labels": set.labels, "frames": set.frames, "kept": set.kept});
    json!({
        "frames": report.frames,
        "pairs": report.pairs,
        "candidates": report.candidates,
        "transitions": report.transitions,
        "kept_transitions": graph.transitions.len(),
        "nodes": graph.nodes.len(),
        "edges": graph.edges.len(),
        "component_frames": report.component_frames,
        "component_share": report.component_share,
        "mean_error_cm": report.mean_error_cm,
        "sets": report.sets.iter().map(set).collect::<Vec<_>>(),
        "thresholds": report.thresholds.iter().map(pair).collect::<Vec<_>>(),
        "trade_off": report.trade_off.iter().map(row).collect::<Vec<_>>(),
        "warnings": report.warnings,
        "seconds": {"distance": seconds.distance, "minima": seconds.choice,
            "transitions": seconds.transitions, "total": seconds.total},
    })
}

fn report_words(graph: &MotionGraph, report: &GraphReport, seconds: &StageSeconds) -> String {
    let mut rows = vec![
        ["threshold", "transitions", "frames kept", "mean error"]
            .map(String::from)
            .to_vec(),
    ];
    for row in &report.trade_off {
        rows.push(vec![
            format!("{:.2} cm", row.threshold_cm),
            row.transitions.to_string(),
            format!("{:.1} %", 100.0 * row.share),
            format!("{:.2} cm", row.mean_error_cm),
        ]);
    }
    format!(
        "{}\n{} frames, {} transitions found, {} kept; {} nodes, {} edges\n\
         {:.1} % of the frames are connected, mean error {:.2} cm; {:.2} s\n",
        table(&rows),
        report.frames,
        report.transitions,
        graph.transitions.len(),
        graph.nodes.len(),
        graph.edges.len(),
        100.0 * report.component_share,
        report.mean_error_cm,
        seconds.total,
    )
}

/// The worst transition with half a second on either side.
fn write_preview(library: &Library, built: &LibraryGraph, path: &Path) -> Outcome {
    let LibraryGraph { graph, clips, .. } = built;
    let Some(worst) = worst_transition(graph) else {
        return Err(Failure::no_motion("the graph has no transition to show"));
    };
    let kept = library.clean_transitions(built).map_err(graph_failure)?;
    let planted = plant_clips(clips);
    let around = graph.rate.frames_in(0.5) as u32;
    let clip = preview_transition(graph, (&planted, kept.as_ref()), worst, around)?;
    match motion::is_picture(path) {
        true => motion::write_sheet(&clip, path),
        false => write_motion(path, &clip, &WriteOptions::default())
            .map(drop)
            .map_err(Failure::from),
    }
}

/// The trade-off of thresholds as a picture.
pub fn write_trade_off(report: &GraphReport, path: &Path) -> Outcome {
    let series = |name: &str, value: fn(&afoot_graph::TradeOff) -> f64| {
        let point = |row: &afoot_graph::TradeOff| [f64::from(row.threshold_cm), value(row)];
        let curve = Series::line(name, report.trade_off.iter().map(point).collect());
        Panel {
            y_label: name.into(),
            series: vec![curve],
            ..Panel::default()
        }
    };
    let plot = Plot {
        title: "What a threshold gives".into(),
        x_label: "threshold [cm]".into(),
        panels: vec![
            series("transitions", |row| row.transitions as f64),
            series("share of frames kept", |row| row.share),
            series("mean error [cm]", |row| row.mean_error_cm),
        ],
        ..Plot::default()
    };
    Ok(write_whole(path, &draw_plot(&plot)?)?)
}
