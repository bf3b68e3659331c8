//! The options of a graph as typed, and the recipe that they mean.

use afoot::{AutoOptions, ClusterRecipe, Failure, GraphRecipe, RecipePoints};
use clap::{Args, ValueEnum};

use crate::defaults::typed;

#[derive(Debug, Clone, Args)]
pub struct GraphOptionArguments {
    #[arg(long, value_name = "CM", conflicts_with = "auto", help = threshold_help())]
    threshold: Option<f32>,
    /// Find the smallest thresholds that connect the library
    #[arg(long)]
    auto: bool,
    /// Share of the frames that --auto wants in the connected part
    #[arg(long, value_name = "SHARE", default_value_t = AutoOptions::default().share)]
    wanted_share: f64,
    /// Another threshold between two labels, such as walk,jump=8
    #[arg(long, value_name = "A,B=CM")]
    pair: Vec<String>,
    /// Length of the compared windows and of transitions [s]
    #[arg(long, value_name = "S", default_value_t = GraphRecipe::default().window)]
    window: f64,
    /// Shortest stretch between two choices [s]; 0 keeps every transition
    #[arg(long, value_name = "S", default_value_t = GraphRecipe::default().minimum_clip)]
    min_clip: f64,
    /// With --min-clip: like places that each choice keeps, the best first; 0 keeps all
    #[arg(long, value_name = "N", default_value_t = GraphRecipe::default().most_partners)]
    most_partners: u32,
    /// Only clips with this label, or of this type
    #[arg(long = "as", value_name = "LABEL")]
    only: Vec<String>,
    /// Points of the body that are compared: those of a mesh that came with the files, or joints
    #[arg(long, value_enum, default_value = typed(RecipePoints::default()))]
    points: PointsArgument,
    /// Let transitions be the leaps of the cluster graph, whose clusters have this error at most [cm; that of
    /// `clusters` if it is not said]
    #[arg(long, value_name = "CM", num_args = 0..=1, require_equals = true,
        default_missing_value = typed(ClusterRecipe::default().error_cm), conflicts_with = "auto")]
    clusters: Option<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PointsArgument {
    Mesh,
    Joints,
}

fn threshold_help() -> String {
    let of_clusters = GraphRecipe::of_clusters(ClusterRecipe::default());
    format!(
        "Accept transitions up to this error [cm; default {}, of a cluster graph {}]",
        GraphRecipe::default().threshold_cm,
        of_clusters.threshold_cm
    )
}

/// The recipe that the arguments mean.
pub fn recipe(arguments: &GraphOptionArguments) -> Result<GraphRecipe, Failure> {
    let pairs = arguments
        .pair
        .iter()
        .map(|text| parse_pair(text))
        .collect::<Result<_, _>>()?;
    let standard = match arguments.clusters {
        Some(error_cm) => GraphRecipe::of_clusters(ClusterRecipe {
            error_cm,
            ..ClusterRecipe::default()
        }),
        None => GraphRecipe::default(),
    };
    Ok(GraphRecipe {
        threshold_cm: arguments.threshold.unwrap_or(standard.threshold_cm),
        clusters: standard.clusters,
        auto_share: arguments.auto.then_some(arguments.wanted_share),
        pairs,
        window: arguments.window,
        minimum_clip: arguments.min_clip,
        most_partners: arguments.most_partners,
        only: arguments.only.clone(),
        points: match arguments.points {
            PointsArgument::Mesh => RecipePoints::Mesh,
            PointsArgument::Joints => RecipePoints::Joints,
        },
    })
}

/// `A,B=CM`.
pub fn parse_pair(text: &str) -> Result<(String, String, f32), Failure> {
    let wrong = || Failure::bad_value("pair", text, "A,B=CM, such as walk,jump=8");
    let (labels, threshold) = text.split_once('=').ok_or_else(wrong)?;
    let (a, b) = labels.split_once(',').ok_or_else(wrong)?;
    let threshold: f32 = threshold.trim().parse().map_err(|_| wrong())?;
    Ok((a.trim().into(), b.trim().into(), threshold))
}

/// The options that a recipe means, as they are typed.
pub fn recipe_words(recipe: &GraphRecipe) -> String {
    let standard = GraphRecipe::default();
    let mut words = vec![match recipe.auto_share {
        Some(share) => format!("--auto --wanted-share {share}"),
        None => format!("--threshold {}", recipe.threshold_cm),
    }];
    words.extend(
        recipe
            .pairs
            .iter()
            .map(|(a, b, cm)| format!("--pair {a},{b}={cm}")),
    );
    words.extend(recipe.only.iter().map(|label| format!("--as {label}")));
    if recipe.window != standard.window {
        words.push(format!("--window {}", recipe.window));
    }
    if recipe.minimum_clip != standard.minimum_clip {
        words.push(format!("--min-clip {}", recipe.minimum_clip));
    }
    if recipe.most_partners != standard.most_partners {
        words.push(format!("--most-partners {}", recipe.most_partners));
    }
    if let Some(clusters) = &recipe.clusters {
        words.push(format!("--clusters={}", clusters.error_cm));
    }
    if recipe.points != standard.points {
        words.push("--points joints".into());
    }
    words.join(" ")
}
