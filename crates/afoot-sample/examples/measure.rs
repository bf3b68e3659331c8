//! Numbers of every sample clip: how still planted feet are, how fast joints go, how knees bend.
use afoot_core::*;
fn main() {
    let start = std::time::Instant::now();
    let clips = afoot_sample::sample_library(&Default::default());
    eprintln!("{:?}", start.elapsed());
    println!("{:22} {:>6} {:>7} {:>7} {:>6} {:>6} {:>9} {:>24} {:>9} {:>7}", "clip", "s", "slip mm", "low mm", "knee-", "knee+", "ankle", "fastest joint deg/frame", "acc mm", "root acc");
    let skeleton = afoot_sample::sample_skeleton();
    for clip in &clips {
        let p = forward_kinematics(clip);
        let g = clip.ground.unwrap();
        let mut slip = 0f32; let mut low = 0f32;
        let mut knee = (999f32, 0f32); let mut ankle = (999f32, -999f32);
        for side in Side::BOTH {
            for (role, bit) in [(Role::Foot(side), Contacts::heel(side)), (Role::Toe(side), Contacts::ball(side))] {
                let j = skeleton.with_role(role).unwrap();
                for f in 1..clip.len() {
                    if clip.contacts[f].any(bit) && clip.contacts[f-1].any(bit) {
                        slip = slip.max((p.joint(FrameId::from(f), j) - p.joint(FrameId::from(f-1), j)).length());
                    }
                }
            }
            let k = skeleton.with_role(Role::Leg(side)).unwrap();
            let a = skeleton.with_role(Role::Foot(side)).unwrap();
            for f in 0..clip.len() {
                let q = clip.rotation(FrameId::from(f), k);
                let flex = 2.0 * q.x.atan2(q.w);
                knee = (knee.0.min(flex), knee.1.max(flex));
                let q = clip.rotation(FrameId::from(f), a);
                let flex = (2.0 * q.x.atan2(q.w)).to_degrees();
                ankle = (ankle.0.min(flex), ankle.1.max(flex));
                let pts = p.frame(FrameId::from(f));
                for (i, joint) in skeleton.joints().iter().enumerate() {
                    if matches!(joint.role, Some(Role::Toe(_)) ) { low = low.min(pts[i].y - g.height_at(pts[i].x, pts[i].z)); }
                }
                for i in [skeleton.len(), skeleton.len()+2] { let _ = i; }
            }
        }
        let mut fast = (0f32, 0usize, 0usize); let mut acc = (0f32, 0usize, 0usize);
        for f in 1..clip.len() {
            for j in 0..skeleton.len() {
                let d = clip.rotation(FrameId::from(f), JointId::from(j)).angle_between(clip.rotation(FrameId::from(f-1), JointId::from(j))).to_degrees();
                if skeleton.joints()[j].name.contains("Toe") { continue; }
                if d > fast.0 { fast = (d, j, f); }
                if f + 1 < clip.len() && j > 0 {
                    let at = |g: usize| { let yaw = yaw_of(clip.rotation(FrameId::from(g), JointId(0))); let d = p.joint(FrameId::from(g), JointId::from(j)) - clip.root[g]; Quat::from_rotation_y(-yaw) * d };
                    let a = (at(f+1) - 2.0*at(f) + at(f-1)).length() * 1000.0;
                    if a > acc.0 { acc = (a, j, f); }
                }
            }
        }
        let mut ra = 0f32;
        for f in 1..clip.len()-1 { ra = ra.max((clip.root[f+1] - 2.0*clip.root[f] + clip.root[f-1]).length() * 900.0); }
        println!("{:22} {:6.2} {:7.4} {:7.3} {:6.1} {:6.1} {:4.0}..{:3.0} {:>14} {:5.1} @{:3} {:>13} {:5.1} @{:3} {:6.1}", clip.name, clip.seconds(), slip*1000.0, low*1000.0, knee.0.to_degrees(), knee.1.to_degrees(), ankle.0, ankle.1, skeleton.joints()[fast.1].name, fast.0, fast.2, skeleton.joints()[acc.1].name, acc.0, acc.2, ra);
    }
}
