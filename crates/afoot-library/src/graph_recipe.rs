//! What a graph is made of and how, in the user's terms, kept with it: a library whose clips have
//! changed can rebuild the same kind of graph by itself.

use afoot_codec::{Artefact, Kind, Malformed, Reader, Writer};
use afoot_graph::distance::{BodyPoints, CloudOptions};
use afoot_graph::{AutoOptions, GraphOptions, PairThreshold};
use serde::{Deserialize, Serialize};

use crate::clusters::ClusterRecipe;

/// Largest error of a transition between frames that lie in one node: these are few, and chosen for all
/// that they have in common; 4 cm would leave out most of them, and 12 those between walks and runs, which differ by their
/// speed all over the body. [cm]
const CLUSTER_THRESHOLD_CM: f32 = 14.0;

/// What a graph is made of and how, in the user's terms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GraphRecipe {
    /// Largest error of a transition. [cm, > 0, at most 1000]
    pub threshold_cm: f32,
    /// Find thresholds that bring this share of the frames together, instead. [0 to 1]
    pub auto_share: Option<f64>,
    /// Other thresholds between two labels. [cm, > 0, at most 1000]
    pub pairs: Vec<(String, String, f32)>,
    /// Length of windows and transitions. [s, > 0, at most 60]
    pub window: f64,
    /// Shortest stretch between two choices; 0 keeps every transition. [s, 0 to 3600]
    pub minimum_clip: f64,
    /// Where choices are spaced by that: like places that each keeps, the best first; 0 keeps all. [0 to 1000000]
    pub most_partners: u32,
    /// Which points of the body are compared.
    pub points: RecipePoints,
    /// Only clips that carry one of these labels, or types, on some frame; empty takes all.
    pub only: Vec<String>,
    /// Let transitions be the leaps of the cluster graph of this recipe, up to the threshold, instead of
    /// all local minima of the error.
    pub clusters: Option<ClusterRecipe>,
}

/// Which points stand for the body when poses are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecipePoints {
    /// Points of the mesh that a file brought; joints where there is none.
    #[default]
    Mesh,
    /// Joints and end sites.
    Joints,
}

impl Default for GraphRecipe {
    fn default() -> Self {
        let options = GraphOptions::default();
        Self {
            threshold_cm: options.threshold_cm,
            auto_share: None,
            pairs: Vec::new(),
            window: options.window,
            minimum_clip: options.minimum_clip,
            most_partners: options.most_partners,
            points: RecipePoints::default(),
            only: Vec::new(),
            clusters: None,
        }
    }
}

impl GraphRecipe {
    /// A graph whose transitions are the leaps of a cluster graph, with a threshold to match.
    pub fn of_clusters(clusters: ClusterRecipe) -> Self {
        Self {
            threshold_cm: CLUSTER_THRESHOLD_CM,
            clusters: Some(clusters),
            ..Self::default()
        }
    }

    /// As the graph crate wants it.
    pub fn options(&self) -> GraphOptions {
        let pair = |(a, b, threshold_cm): &(String, String, f32)| PairThreshold {
            a: a.clone(),
            b: b.clone(),
            threshold_cm: *threshold_cm,
        };
        GraphOptions {
            threshold_cm: self.threshold_cm,
            auto: self.auto_share.map(|share| AutoOptions { share }),
            pairs: self.pairs.iter().map(pair).collect(),
            window: self.window,
            minimum_clip: self.minimum_clip,
            most_partners: self.most_partners,
            cloud: CloudOptions {
                points: match self.points {
                    RecipePoints::Mesh => BodyPoints::Mesh,
                    RecipePoints::Joints => BodyPoints::Joints,
                },
                ..CloudOptions::default()
            },
            ..GraphOptions::default()
        }
    }

    /// The options that decide which candidates there are.
    pub(crate) fn search_key(&self) -> Vec<u8> {
        format!("{:?}", self.options()).into_bytes()
    }
}

impl Artefact for GraphRecipe {
    const KIND: Kind = Kind {
        magic: *b"afootrec",
        version: 1,
        oldest: 1,
        other_hash: 0,
        name: "recipe",
        what: "recipe of a graph",
    };

    fn write(&self, writer: &mut Writer) {
        // Strings and numbers always serialise.
        writer.text(&serde_json::to_string(self).unwrap_or_default());
    }

    fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
        let recipe = serde_json::from_str(&reader.text()?);
        recipe.map_err(|_| Malformed("it is no recipe"))
    }
}
