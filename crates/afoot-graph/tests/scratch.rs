mod support;
use afoot_core::Clip;
use afoot_graph::distance::*;
#[test]
fn scratch() {
    let Some(folder) = support::cmu() else { return };
    let clips = support::walks16(&folder);
    let refs: Vec<&Clip> = clips.iter().collect();
    let cloud = PointCloud::for_clips(&refs, &CloudOptions::default()).unwrap();
    let t = std::time::Instant::now();
    let features = Features::new(&refs, &cloud, &WindowShape::new(10, 0.0));
    eprintln!("{} frames {} points pack {:?}", features.total_frames(), cloud.len(), t.elapsed());
    for ceil in [4.0, 8.0] {
    let t = std::time::Instant::now();
    let found = afoot_graph::find_minima(&features, &Block { clips: 0..refs.len(), cols: 0..features.total_frames() }, ceil);
    eprintln!("{ceil}: {} minima {:?}", found.len(), t.elapsed());
    let edge = found.iter().filter(|c| c.i == 0 || c.s == 0 || c.i as usize == refs[c.a as usize].len()-10 || c.s as usize == refs[c.b as usize].len()-10).count();
    eprintln!("edge {edge}");
    }
}
