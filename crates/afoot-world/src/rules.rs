//! Which motion may go where: what regions, rivers, bars, beams and raised ground ask, as one kind.
//!
//! A rule holds where the root is: frames there carry one of its words and none that it forbids.
//! How far a point is outside a rule's area is a distance (it changes by no more than one moves), so
//! that paths are held against areas as they are against obstacles.

use afoot_graph::LabelSet;

use crate::geometry::{is_inside, signed_distance, strip};
use crate::world::World;

/// What is asked of motion in an area.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// What it comes from, such as `river 0`.
    pub name: String,
    /// Corners in order. [m]
    pub polygon: Vec<[f64; 2]>,
    /// Parts of it that it does not hold in. [m]
    pub except: Vec<Vec<[f64; 2]>>,
    /// Motion there carries one of these; none allows all.
    pub only: Vec<String>,
    /// Motion there carries none of these.
    pub never: Vec<String>,
}

/// A rule's words as a graph's label sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleLabels {
    /// One of these must be carried; `None` allows all.
    pub only: Option<LabelSet>,
    /// None of these.
    pub never: LabelSet,
}

impl RuleLabels {
    /// Whether frames of that label set may be in the rule's area.
    #[inline]
    pub fn allow(self, labels: LabelSet) -> bool {
        let meets = |set: LabelSet| labels.0 & set.0 != 0;
        self.only.is_none_or(meets) && !meets(self.never)
    }
}

impl Rule {
    /// How far a point is outside its area. [m; negative inside]
    pub fn room(&self, point: [f64; 2]) -> f64 {
        let except = self.except.iter().map(|part| -signed_distance(point, part));
        except.fold(signed_distance(point, &self.polygon), f64::max)
    }

    /// Its words in a vocabulary; those that no frame carries are met by nothing.
    pub fn labels(&self, vocabulary: &[String]) -> RuleLabels {
        let bit = |word: &String| vocabulary.iter().position(|known| known == word);
        let set = |words: &[String]| {
            let bits = words.iter().filter_map(bit);
            LabelSet(bits.fold(0, |all, bit| all | 1 << bit))
        };
        RuleLabels {
            only: (!self.only.is_empty()).then(|| set(&self.only)),
            never: set(&self.never),
        }
    }
}

impl World {
    /// What all its parts ask of motion.
    pub fn rules(&self) -> Vec<Rule> {
        let beams: Vec<Vec<[f64; 2]>> = self.beams.iter().map(|beam| beam.outline()).collect();
        let rule = |name: String, polygon: &[[f64; 2]], only: &[String]| Rule {
            name,
            polygon: polygon.to_vec(),
            except: Vec::new(),
            only: only.to_vec(),
            never: Vec::new(),
        };
        let mut rules = Vec::new();
        for (index, region) in self.regions.iter().enumerate() {
            rules.push(Rule {
                never: region.never.clone(),
                ..rule(format!("region {index}"), &region.polygon, &region.only)
            });
        }
        for (index, river) in self.rivers.iter().enumerate() {
            rules.push(Rule {
                except: beams.clone(),
                ..rule(format!("river {index}"), &river.polygon, &river.over)
            });
        }
        for (index, bar) in self.bars.iter().enumerate() {
            let under = strip(bar.from, bar.to, 2.0 * self.radius);
            rules.push(rule(format!("bar {index}"), &under, &bar.under));
        }
        for (index, beam) in self.beams.iter().enumerate() {
            rules.push(rule(format!("beam {index}"), &beams[index], &beam.along));
        }
        for (index, raised) in self.heights.iter().enumerate() {
            let on = rule(format!("height {index}"), &raised.polygon, &raised.only);
            rules.push(on);
        }
        rules.retain(|rule| !(rule.only.is_empty() && rule.never.is_empty()));
        rules
    }

    /// How high the ground is at a point: the highest of what is raised there. [m]
    pub fn height_at(&self, point: [f64; 2]) -> f64 {
        let point = self.fold(point);
        let raised = self.heights.iter();
        let raised = raised.filter(|raised| is_inside(point, &raised.polygon));
        let beams = self.beams.iter();
        let beams = beams.filter(|beam| is_inside(point, &beam.outline()));
        let heights = raised
            .map(|raised| raised.height)
            .chain(beams.map(|beam| beam.height));
        heights.reduce(f64::max).unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beam_leads_over_a_river() {
        let world = World::from_json(
            r#"{"bounds": [[0,0],[10,6]], "rivers": [{"polygon": [[4,0],[6,0],[6,6],[4,6]]}],
                "beams": [{"from": [3.8,3], "to": [6.2,3], "height": 0.3}],
                "heights": [{"polygon": [[8,0],[9,0],[9,1],[8,1]], "height": 0.2, "only": ["step"]}],
                "bars": [{"from": [2,0], "to": [2,6], "height": 1.2}]}"#,
        )
        .unwrap();
        let rules = world.rules();
        let names: Vec<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
        assert_eq!(names, ["river 0", "bar 0", "beam 0", "height 0"]);
        assert!(rules[0].room([5.0, 2.0]) < 0.0 && rules[0].room([5.0, 3.05]) > 0.0);
        assert!(rules[2].room([5.0, 3.05]) < 0.0);
        assert_eq!(world.height_at([5.0, 3.05]), 0.3);
        assert_eq!(world.height_at([8.5, 0.5]), 0.2);
        assert_eq!(world.height_at([5.0, 2.0]), 0.0);
        let labels = rules[0].labels(&["walk".into(), "jump".into()]);
        assert!(labels.allow(LabelSet(2)) && !labels.allow(LabelSet(1)));
        let unknown = rules[2].labels(&["walk".into()]);
        assert!(!unknown.allow(LabelSet(1)), "no frame carries its word");
    }
}
