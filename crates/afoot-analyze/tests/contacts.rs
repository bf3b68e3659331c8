//! Contacts on captured motion, against the plants of `footplants.json`.

#![allow(clippy::unwrap_used)]

mod cmu;

use afoot_analyze::{
    ContactOptions, ContactReport, GroundOptions, detect_contacts, estimate_ground,
};
use afoot_core::{Clip, Contacts, Side};
use cmu::Cmu;
use serde_json::Value;

fn contacts_of(clip: &mut Clip) -> ContactReport {
    clip.ground = estimate_ground(clip, &GroundOptions::default())
        .ok()
        .map(|found| found.ground);
    detect_contacts(clip, &ContactOptions::default()).unwrap()
}

fn within(time: f64, intervals: &Value) -> bool {
    let holds = |span: &Value| {
        let (from, to) = (span[0].as_f64().unwrap(), span[1].as_f64().unwrap());
        from - 1e-6 <= time && time < to - 1e-6
    };
    intervals.as_array().unwrap().iter().any(holds)
}

/// True and false positives and negatives.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    both: f64,
    invented: f64,
    missed: f64,
}

impl Score {
    fn count(&mut self, found: bool, truth: bool) {
        self.both += f64::from(u8::from(found && truth));
        self.invented += f64::from(u8::from(found && !truth));
        self.missed += f64::from(u8::from(!found && truth));
    }

    fn f1(self) -> f64 {
        2.0 * self.both / (2.0 * self.both + self.invented + self.missed)
    }
}

/// How many runs of `a` have nothing of `b` in them.
fn unmatched(a: &[bool], b: &[bool]) -> usize {
    let (mut count, mut frame) = (0, 0);
    while frame < a.len() {
        let end = (frame..a.len())
            .find(|f| a[*f] != a[frame])
            .unwrap_or(a.len());
        count += usize::from(a[frame] && !b[frame..end].iter().any(|hit| *hit));
        frame = end;
    }
    count
}

#[test]
fn the_eleven_clips_score_as_asked() {
    let Some(cmu) = Cmu::find() else { return };
    let truth = cmu.json("footplants.json");
    let (mut clear, mut all, mut missed, mut invented) = (Score::default(), Score::default(), 0, 0);
    for (name, facts) in truth["clips"].as_object().unwrap() {
        let mut clip = cmu.clip(name);
        let report = contacts_of(&mut clip);
        let end = facts["window"][1].as_f64().unwrap();
        for (side, word) in Side::BOTH.into_iter().zip(["left", "right"]) {
            let foot = &facts["feet"][word];
            let times = (0..clip.len())
                .map(|f| f as f64 / 30.0)
                .filter(|t| *t < end - 1e-6);
            let times: Vec<f64> = times.collect();
            let wanted: Vec<bool> = times.iter().map(|t| within(*t, &foot["plants"])).collect();
            let found: Vec<bool> = report.contacts[..times.len()]
                .iter()
                .map(|bits| bits.any(Contacts::foot(side)))
                .collect();
            let (mut own_clear, mut own) = (Score::default(), Score::default());
            for (index, time) in times.iter().enumerate() {
                own.count(found[index], wanted[index]);
                if !within(*time, &foot["ambiguous"]) {
                    own_clear.count(found[index], wanted[index]);
                }
            }
            println!(
                "{name} {word}: {:.4} {:.4} {own:?}",
                own_clear.f1(),
                own.f1()
            );
            for (sum, part) in [(&mut clear, own_clear), (&mut all, own)] {
                sum.both += part.both;
                sum.invented += part.invented;
                sum.missed += part.missed;
            }
            missed += unmatched(&wanted, &found);
            invented += unmatched(&found, &wanted);
        }
    }
    println!(
        "F1 {:.4} outside margins, {:.4} on all frames",
        clear.f1(),
        all.f1()
    );
    println!("plants: {missed} missed, {invented} invented; {all:?}");
    assert!(clear.f1() >= 0.995, "{clear:?}");
    assert!(all.f1() >= 0.98, "{all:?}");
    assert_eq!((missed, invented), (0, 0));
}
