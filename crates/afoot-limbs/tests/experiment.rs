#![allow(clippy::unwrap_used)]
mod support;
use afoot_core::*;
use afoot_fixtures::Captured;
use afoot_limbs::stride::*;
use support::*;

#[test]
fn try_strides() {
    let captured = Captured::find().unwrap();
    let out = std::env::var("OUT").unwrap_or("/tmp/limbs_out".into());
    std::fs::create_dir_all(&out).unwrap();
    for name in ["16_15", "16_21", "08_02", "12_01", "39_05"] {
        let raw_clip = raw(&captured, name);
        let same = change_stride(&raw_clip, &StrideOptions::default()).unwrap();
        let worst = (0..raw_clip.len())
            .map(|f| {
                let (_, a) = pose_kinematics(
                    &raw_clip.skeleton,
                    raw_clip.root[f],
                    raw_clip.frame_rotations(f.into()),
                );
                let (_, b) = pose_kinematics(
                    &raw_clip.skeleton,
                    same.clip.root[f],
                    same.clip.frame_rotations(f.into()),
                );
                a.iter()
                    .zip(&b)
                    .map(|(a, b)| a.distance(*b))
                    .fold(0.0, f32::max)
            })
            .fold(0.0, f32::max);
        println!(
            "{name}: identity off by {:.3} mm, steps {:?}",
            worst * 1000.0,
            same.report
                .steps
                .iter()
                .map(|s| s.captured)
                .collect::<Vec<_>>()
        );
        let clip = settled(&captured, name);
        let own = usual_peak(root_accelerations(&clip));
        let mut wishes: Vec<(String, StrideOptions)> = Vec::new();
        for f in [0.6, 0.8, 1.0, 1.2, 1.4] {
            wishes.push((
                format!("s{f}"),
                StrideOptions {
                    stride: Measure::Factor(f),
                    ..Default::default()
                },
            ));
        }
        for f in [0.5, 2.0, 3.0] {
            wishes.push((
                format!("l{f}"),
                StrideOptions {
                    lift: Measure::Factor(f),
                    ..Default::default()
                },
            ));
        }
        for f in [-15f32, 15.0] {
            wishes.push((
                format!("i{f}"),
                StrideOptions {
                    surface: Surface::Incline(f.to_radians()),
                    ..Default::default()
                },
            ));
        }
        for f in [-0.17, 0.17] {
            wishes.push((
                format!("t{f}"),
                StrideOptions {
                    surface: Surface::Stairs(Stairs {
                        rise: f,
                        tread: 0.29,
                        from: None,
                    }),
                    ..Default::default()
                },
            ));
        }
        for (word, wish) in &wishes {
            let made = match change_stride(&clip, wish) {
                Ok(m) => m,
                Err(e) => {
                    println!("{name} {word}: {e}");
                    continue;
                }
            };
            let r = &made.report;
            let acc = usual_peak(root_accelerations(&made.clip));
            let step_err = r
                .steps
                .iter()
                .filter_map(|s| s.asked.map(|a| (s.made / a - 1.0).abs()))
                .fold(0.0, f32::max);
            let slide = slides(&made.clip);
            let knee = straightest(&made.clip);
            println!(
                "{name} {word}: factor {:.3} lowered {:.3} miss {:.4} rise {:.2} acc {:.2} (own {:.2} ratio {:.2}) step_err {:.4} slide {:.4} (own {:.4}) knee {:.2} (own {:.2})",
                r.factor,
                r.lowered,
                r.miss,
                r.rise,
                acc,
                own,
                acc / own,
                step_err,
                slide,
                slides(&clip),
                knee,
                straightest(&clip)
            );
            afoot_formats::write_motion(
                &std::path::Path::new(&out).join(format!("{name}_{word}.bvh")),
                &made.clip,
                &Default::default(),
            )
            .unwrap();
        }
    }
}

fn slides(clip: &Clip) -> f32 {
    let mut worst: f32 = 0.0;
    for plant in afoot_limbs::plants::plants_of(clip) {
        let points = leg_points(clip, plant.side);
        let held: Vec<Vec3> = plant
            .frames
            .clone()
            .filter(|f| clip.contacts[*f].any(Contacts::ball(plant.side)))
            .map(|f| points[f][3].with_y(0.0))
            .collect();
        if held.is_empty() {
            continue;
        }
        let mean = held.iter().sum::<Vec3>() / held.len() as f32;
        worst = worst.max(held.iter().map(|p| p.distance(mean)).fold(0.0, f32::max));
    }
    worst
}
fn straightest(clip: &Clip) -> f32 {
    Side::BOTH
        .into_iter()
        .flat_map(|side| leg_points(clip, side))
        .map(|[h, k, a, _]| (h - k).angle_between(a - k).to_degrees())
        .fold(0.0, f32::max)
}
