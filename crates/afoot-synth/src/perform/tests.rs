//! The kernels of performing against slow and obvious ones, on a few sample clips.

use afoot_core::{Clip, LabelSpan, Range32};
use afoot_graph::level_clip;
use afoot_run::Run;
use afoot_sample::{SampleOptions, sample_library};
use afoot_search::Random;

use super::bridges::bridge;
use super::costs::{Costs, Take, merged};
use super::dynamic::best_sequence;
use super::exact::{Best, best_of_all};
use super::footage::Footage;
use super::neighbours::Neighbours;
use super::places::Pools;
use super::refine::refine;
use super::score::{Paint, PlaceWish, PoseWish, Score};
use super::search::Search;
use super::slots::{Slot, divide, halve};
use super::timeline::{Timeline, Uses};

/// Parts of two walks and a run, labelled by hand so that labels change within clips.
fn clips() -> Vec<Clip> {
    let all = sample_library(&SampleOptions::default());
    let part = |name: &str, frames: std::ops::Range<u32>| {
        let clip = all.iter().find(|clip| clip.name == name);
        let clip = clip.unwrap_or_else(|| panic!("no sample {name}"));
        let end = frames.end.min(clip.len() as u32);
        level_clip(&afoot_core::cut_clip(clip, frames.start..end).unwrap())
    };
    let mut clips = vec![
        part("walk", 0..70),
        part("walk_turn_left", 0..60),
        part("run", 0..50),
    ];
    for clip in &mut clips {
        let half = clip.len() as u32 / 2;
        let span = |label: &str, start: u32, end: u32| LabelSpan {
            frames: Range32 { start, end },
            label: label.into(),
        };
        clip.labels = vec![span("early", 0, half), span(&clip.name, 5, 2 * half)];
        clip.labels.sort();
    }
    clips
}

fn footage(clips: &[Clip]) -> Footage {
    Footage::prepare(clips, &Run::quiet()).unwrap()
}

fn paint(label: &str, from: f64, to: f64, want: bool) -> Paint {
    Paint {
        label: label.into(),
        from,
        to,
        want,
        chains: Vec::new(),
    }
}

fn score(seconds: f64) -> Score {
    Score {
        seconds,
        paint: vec![
            paint("early", 0.1, 0.7, true),
            paint("walk", 0.3, 0.9, false),
            paint("run", 0.8, seconds, true),
        ],
        ..Score::default()
    }
}

#[test]
fn misses_of_a_stretch_are_those_of_its_frames() {
    let clips = clips();
    let footage = footage(&clips);
    let uses = Uses {
        no_entry: Vec::new(),
        bias: (0..footage.frames())
            .map(|f| (f % 7) as i16 * 9 - 20)
            .collect(),
    };
    let timeline = Timeline::new(&score(2.0), &clips, &footage)
        .unwrap()
        .using(&uses);
    let mut random = Random::new(3);
    for _ in 0..500 {
        let at = random.below(timeline.frames as usize) as u32;
        let frames = 1 + random.below((timeline.frames - at) as usize) as u32;
        let source = random.below(footage.frames() - frames as usize) as u32;
        let slow: i32 = (0..frames)
            .map(|k| {
                let sections = &timeline.sections;
                let section = sections.iter().find(|s| s.frames.contains(at + k));
                timeline.missed(section.unwrap().wish, source + k)
            })
            .sum();
        assert_eq!(timeline.misses_of(at, source, frames), slow);
    }
}

#[test]
fn slots_cover_the_result_and_leave_what_is_fixed() {
    let clips = clips();
    let footage = footage(&clips);
    let mut wish = score(3.0);
    wish.poses = vec![PoseWish {
        at: 1.5,
        clip: clips[2].name.clone(),
        time: 0.8,
        seconds: Some(0.2),
    }];
    let timeline = Timeline::new(&wish, &clips, &footage).unwrap();
    let fixed = timeline.fixed[0];
    assert_eq!(fixed.asked, Range32 { start: 45, end: 51 });
    assert!(fixed.at < 45 && fixed.at + fixed.frames > 51, "{fixed:?}");
    assert_eq!(fixed.source - fixed.at + 45, footage.starts[2] + 24);
    let mut slots = divide(&timeline, 16, 4);
    for _ in 0..3 {
        let mut at = 0;
        for slot in &slots {
            assert_eq!(slot.at, at);
            assert!(slot.frames >= 4 || slot.source.is_some(), "{slot:?}");
            at += slot.frames;
        }
        assert_eq!(at, timeline.frames);
        assert_eq!(slots.iter().filter(|slot| slot.source.is_some()).count(), 1);
        slots = halve(&slots, 4).into_iter().map(|(slot, _)| slot).collect();
    }
}

/// The best sequence by trying all pairs.
fn slow_sequence(costs: &Costs, slots: &[Slot], active: &[Vec<u32>]) -> f32 {
    let take = |slot: usize, source: u32| Take {
        at: slots[slot].at,
        frames: slots[slot].frames,
        source,
    };
    let mut reached: Vec<f32> = Vec::new();
    for slot in 0..slots.len() {
        let cost = |source: &u32| {
            let own = take(slot, *source);
            let before = (0..reached.len()).map(|index| {
                let last = take(slot - 1, active[slot - 1][index]).last();
                reached[index] + costs.join(last, *source)
            });
            costs.play(&own)
                + if slot == 0 {
                    0.0
                } else {
                    before.fold(f32::INFINITY, f32::min)
                }
        };
        reached = active[slot].iter().map(cost).collect();
    }
    reached.into_iter().fold(f32::INFINITY, f32::min)
}

#[test]
fn the_sequence_is_the_best_of_its_active_sets() {
    let clips = clips();
    let footage = footage(&clips);
    let timeline = Timeline::new(&score(2.0), &clips, &footage).unwrap();
    let costs = Costs::new(&footage, &timeline, 0.5);
    let slots = divide(&timeline, 8, 4);
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let active: Vec<Vec<u32>> = slots
            .iter()
            .map(|slot| {
                let starts = (0..25).map(|_| random.below(footage.frames()) as u32);
                starts
                    .filter(|start| footage.left[*start as usize] >= slot.frames)
                    .collect()
            })
            .collect();
        let (takes, cost) = best_sequence(&costs, &slots, &active);
        let slow = slow_sequence(&costs, &slots, &active);
        assert!(
            (cost - slow).abs() < 1e-3 * slow.max(1.0),
            "{cost}, not {slow}"
        );
        assert!((costs.whole(&takes) - slow).abs() < 1e-3 * slow.max(1.0));
    }
}

/// Equations 3 and 4 with a shortest stay and nothing passed over: every frame, every time in a take.
fn slow_best(costs: &Costs, stay: usize) -> f32 {
    let total = costs.footage.frames();
    let miss = |at: u32, frame: usize| {
        let take = Take {
            at,
            frames: 1,
            source: frame as u32,
        };
        costs.play(&take)
    };
    let mut reached = vec![vec![f32::INFINITY; stay]; total];
    for (frame, stays) in reached.iter_mut().enumerate() {
        stays[0] = miss(0, frame);
    }
    for at in 1..costs.timeline.frames {
        let mut next = vec![vec![f32::INFINITY; stay]; total];
        for frame in 0..total {
            let own = miss(at, frame);
            if frame > 0 && costs.footage.left[frame - 1] > 1 {
                for (s, before) in reached[frame - 1].iter().enumerate() {
                    let to = (s + 1).min(stay - 1);
                    next[frame][to] = next[frame][to].min(before + own);
                }
            }
            if !costs.can_enter(frame as u32) {
                continue;
            }
            for (last, stays) in reached.iter().enumerate() {
                if costs.can_leave(last as u32) && last + 1 != frame {
                    let cost = stays[stay - 1] + costs.join(last as u32, frame as u32) + own;
                    next[frame][0] = next[frame][0].min(cost);
                }
            }
        }
        reached = next;
    }
    reached
        .iter()
        .map(|stays| stays[stay - 1])
        .fold(f32::INFINITY, f32::min)
}

#[test]
fn the_exact_search_finds_the_best_of_all() {
    let clips = clips();
    let footage = footage(&clips);
    for smoothness in [0.2, 0.5, 0.8] {
        let timeline = Timeline::new(&score(1.4), &clips, &footage).unwrap();
        let costs = Costs::new(&footage, &timeline, smoothness);
        let neighbours = Neighbours::find(&costs, &Run::quiet()).unwrap();
        let slow = slow_best(&costs, 4);
        let known = slow + 5.0;
        let best = best_of_all(&costs, &neighbours, known, &Run::quiet()).unwrap();
        let Best::Found { takes, cost } = best else {
            panic!("{best:?}, expected one that costs {slow}");
        };
        assert!(
            (cost - slow).abs() < 1e-3 * slow.max(1.0),
            "{cost}, not {slow}"
        );
        assert!(takes.iter().all(|take| take.frames >= 4), "{takes:?}");
        assert_eq!(
            takes.iter().map(|take| take.frames).sum::<u32>(),
            timeline.frames
        );
        let better = best_of_all(&costs, &neighbours, slow - 0.1, &Run::quiet()).unwrap();
        assert_eq!(better, Best::Known);
    }
}

#[test]
fn the_search_is_never_better_than_the_best_and_comes_near_it() {
    let clips = clips();
    let footage = footage(&clips);
    let timeline = Timeline::new(&score(2.0), &clips, &footage).unwrap();
    let costs = Costs::new(&footage, &timeline, 0.5);
    let search = Search::new(costs.clone(), 0, 1);
    let pools = Pools::default();
    let mut best = search.iterate(0, None, &pools);
    for iteration in 1..12 {
        let found = search.iterate(iteration, Some(&best), &pools);
        if found.cost < best.cost {
            best = found;
        }
    }
    let neighbours = Neighbours::find(&costs, &Run::quiet()).unwrap();
    let exact = best_of_all(&costs, &neighbours, best.cost, &Run::quiet()).unwrap();
    let Best::Found { cost, .. } = exact else {
        panic!("{exact:?}: there is none better than {}", best.cost);
    };
    assert!(cost <= best.cost + 1e-3, "{cost} {}", best.cost);
    assert!(best.cost < 2.0 * cost + 2.0, "{} against {cost}", best.cost);
}

/// For each slot any footage that is long enough, unless it is fixed.
fn rough_takes(slots: &[Slot], footage: &Footage, random: &mut Random) -> Vec<Take> {
    let take = |slot: &Slot| {
        let mut source = slot.source;
        while source.is_none() {
            let start = random.below(footage.frames()) as u32;
            source = (footage.left[start as usize] >= slot.frames).then_some(start);
        }
        Take {
            at: slot.at,
            frames: slot.frames,
            source: source.unwrap(),
        }
    };
    merged(slots.iter().map(take).collect::<Vec<_>>(), footage)
}

/// Takes follow each other to the end, are played from footage that is there, and keep what is fixed.
fn check_takes(takes: &[Take], timeline: &Timeline, footage: &Footage) {
    let mut at = 0;
    for take in takes {
        assert_eq!(take.at, at);
        assert!(
            footage.left[take.source as usize] >= take.frames,
            "{take:?}"
        );
        at += take.frames;
    }
    assert_eq!(at, timeline.frames);
    let fixed = timeline.fixed[0];
    let held = takes
        .iter()
        .find(|take| take.at <= fixed.at && fixed.at < take.end())
        .unwrap();
    assert_eq!(held.source + fixed.at - held.at, fixed.source);
    assert!(held.end() >= fixed.at + fixed.frames);
}

#[test]
fn moved_joins_cost_less_and_keep_length_and_what_is_fixed() {
    let clips = clips();
    let footage = footage(&clips);
    let mut wish = score(3.0);
    wish.poses = vec![PoseWish {
        at: 1.5,
        clip: clips[2].name.clone(),
        time: 0.8,
        seconds: None,
    }];
    let timeline = Timeline::new(&wish, &clips, &footage).unwrap();
    let costs = Costs::new(&footage, &timeline, 0.5);
    let slots = divide(&timeline, 8, 4);
    let mut random = Random::new(7);
    for _ in 0..20 {
        let rough = rough_takes(&slots, &footage, &mut random);
        let fine = refine(&costs, rough.clone());
        assert!(costs.whole(&fine) <= costs.whole(&rough) + 1e-3);
        check_takes(&fine, &timeline, &footage);
    }
}

#[test]
fn bridges_are_laid_where_the_whole_costs_less_and_keep_length_and_what_is_fixed() {
    let all = sample_library(&SampleOptions::default());
    let clips: Vec<Clip> = all[..8].iter().map(level_clip).collect();
    let footage = footage(&clips);
    let wish = Score {
        seconds: 4.0,
        poses: vec![PoseWish {
            at: 2.0,
            clip: clips[2].name.clone(),
            time: 1.0,
            seconds: None,
        }],
        ..Score::default()
    };
    let timeline = Timeline::new(&wish, &clips, &footage).unwrap();
    let costs = Costs::new(&footage, &timeline, 0.5);
    let slots = divide(&timeline, 16, 4);
    let mut random = Random::new(11);
    let mut laid = 0;
    for _ in 0..40 {
        let rough = rough_takes(&slots, &footage, &mut random);
        let bridged = bridge(&costs, rough.clone());
        if bridged == rough {
            continue;
        }
        laid += 1;
        assert!(costs.whole(&bridged) < costs.whole(&rough));
        check_takes(&bridged, &timeline, &footage);
    }
    assert!(laid > 5, "{laid} of 40");
}

#[test]
fn cuts_with_the_pool_lead_nearer_to_the_place() {
    let clips = clips();
    let footage = footage(&clips);
    let mut wish = score(4.0);
    wish.places = vec![PlaceWish {
        at: 4.0,
        x: 2.0,
        z: 2.0,
        yaw: Some(60.0),
    }];
    wish.place_weight = 20.0;
    let timeline = Timeline::new(&wish, &clips, &footage).unwrap();
    let costs = Costs::new(&footage, &timeline, 0.5);
    let roots = clips
        .iter()
        .flat_map(|clip| (0..clip.len()).map(|f| clip.placement(afoot_core::FrameId::from(f))))
        .collect();
    let mut pools = Pools::new(roots, wish.place_weight, 3);
    let search = Search::new(costs.clone(), 0, 5);
    let mut alone = f32::INFINITY;
    let mut together = f32::INFINITY;
    for iteration in 0..16 {
        let found = search.iterate(iteration, None, &Pools::default());
        let own = found.cost + pools.place_cost(&costs, &found.takes);
        alone = alone.min(own);
        let pooled = search.iterate(iteration, None, &pools);
        together = together.min(pooled.cost);
        pools.keep(0, pooled.levels);
    }
    assert!(together <= alone, "{together} with pools, {alone} without");
}
