//! `graph`: build or extend the motion graph of a library.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use afoot_core::Clip;
use afoot_draw::{Panel, Plot, Series, SheetOptions, draw_plot, draw_sheet};
use afoot_formats::files::write_whole;
use afoot_formats::{WriteOptions, write_motion};
use afoot_graph::{
    GraphError, GraphReport, MotionGraph, Progress, Stage, plant_clips, preview_transition,
    worst_transition,
};
use afoot_library::{GraphRecipe, GraphStoreError, Library, LibraryGraph, RecipePoints};
use afoot_synth::Repertoire;
use indicatif::ProgressBar;
use serde_json::{Value, json};

use crate::arguments::{GraphArguments, GraphOptionArguments, PointsArgument};
use crate::console::{Console, table};
use crate::failure::{Failure, Outcome};
use crate::interrupt;

pub fn graph(arguments: &GraphArguments, console: &Console) -> Outcome {
    let recipe = recipe(&arguments.options)?;
    let mut library = Library::open(&arguments.library)?;
    if arguments.rebuild {
        library.forget_graphs()?;
    }
    let clock = StageClock::start(console);
    let built = library.build_graph(&recipe, &|progress| clock.tell(progress));
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

/// A library's graph for a command that makes motion: kept, or built now.
pub fn graph_in_use(path: &Path, console: &Console) -> Result<LibraryGraph, Failure> {
    let mut library = Library::open(path)?;
    let clock = StageClock::start(console);
    let graph = library.graph_in_use(&|progress| clock.tell(progress));
    clock.stop();
    graph.map_err(graph_failure)
}

/// A library's graph for motion that is shown as it is played, and the clips as captured.
pub fn planted_repertoire_of(
    path: &Path,
    console: &Console,
) -> Result<(Repertoire, Vec<Clip>), Failure> {
    let built = graph_in_use(path, console)?;
    let kept = Library::open_read_only(path)?.clean_transitions(&built);
    let kept = kept.map_err(graph_failure)?;
    let LibraryGraph { graph, clips, .. } = built;
    let repertoire = Repertoire::new(graph, &clips).map_err(Failure::no_motion)?;
    Ok((repertoire.with_planted_feet(kept), clips))
}

/// What the library lacks is status 3, what is wrong is 1.
pub fn graph_failure(error: GraphStoreError) -> Failure {
    match error {
        GraphStoreError::NoClips | GraphStoreError::NoSuchLabel(_) => Failure::no_motion(error),
        GraphStoreError::Graph(GraphError::Stopped) => interrupt::failure(),
        other => Failure::from(other),
    }
}

/// The recipe that the arguments mean.
pub fn recipe(arguments: &GraphOptionArguments) -> Result<GraphRecipe, Failure> {
    let pairs = arguments
        .pair
        .iter()
        .map(|text| parse_pair(text))
        .collect::<Result<_, _>>()?;
    let standard = GraphRecipe::default();
    Ok(GraphRecipe {
        threshold_cm: arguments.threshold.unwrap_or(standard.threshold_cm),
        auto_share: arguments.auto.then_some(arguments.wanted_share),
        pairs,
        window: arguments.window,
        minimum_clip: arguments.min_clip,
        only: arguments.only.clone(),
        clean_limit: arguments.clean_limit,
        points: match arguments.points {
            PointsArgument::Mesh => RecipePoints::Mesh,
            PointsArgument::Joints => RecipePoints::Joints,
        },
    })
}

fn parse_pair(text: &str) -> Result<(String, String, f32), Failure> {
    let wrong = || {
        Failure::failed(format!(
            "--pair {text}: expected A,B=CM, such as walk,jump=8"
        ))
    };
    let (labels, threshold) = text.split_once('=').ok_or_else(wrong)?;
    let (a, b) = labels.split_once(',').ok_or_else(wrong)?;
    let threshold: f32 = threshold.trim().parse().map_err(|_| wrong())?;
    Ok((a.trim().into(), b.trim().into(), threshold))
}

/// Shows how far a build is and notes how long its stages take.
pub struct StageClock {
    bar: ProgressBar,
    begun: Instant,
    stages: Mutex<[f64; 3]>,
}

/// How long each stage took. [s]
pub struct StageSeconds {
    distance: f64,
    choice: f64,
    transitions: f64,
    total: f64,
}

impl StageClock {
    pub fn start(console: &Console) -> Self {
        let bar = console.progress(1, "comparing");
        Self {
            bar,
            begun: Instant::now(),
            stages: Mutex::new([0.0; 3]),
        }
    }

    pub fn tell(&self, progress: Progress) -> ControlFlow<()> {
        let (index, words) = match progress.stage {
            Stage::Distances => (0, "comparing"),
            Stage::Choice => (1, "choosing"),
            Stage::Transitions => (2, "blending"),
        };
        self.bar.set_message(words);
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.done);
        if let Ok(mut stages) = self.stages.lock() {
            stages[index] = self.begun.elapsed().as_secs_f64();
        }
        if interrupt::stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    pub fn stop(self) -> StageSeconds {
        self.bar.finish_and_clear();
        let total = self.begun.elapsed().as_secs_f64();
        let [distance, choice, transitions] = self.stages.into_inner().unwrap_or([0.0; 3]);
        StageSeconds {
            distance,
            choice: (choice - distance).max(0.0),
            transitions: (transitions - choice.max(distance)).max(0.0),
            total,
        }
    }
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
    let picture = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    match picture {
        true => Ok(write_whole(
            path,
            &draw_sheet(&clip, &SheetOptions::default())?,
        )?),
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
