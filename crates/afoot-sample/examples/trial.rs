use afoot_draw::*;
fn main() {
    let want: Vec<String> = std::env::args().skip(1).collect();
    let clips = afoot_sample::sample_library(&Default::default());
    let total: f64 = clips.iter().map(|c| c.seconds()).sum();
    println!("{} clips {total:.1} s", clips.len());
    for clip in clips {
        if !want.is_empty() && !want.iter().any(|w| *w == clip.name) {
            continue;
        }
        for (v, view) in [
            ("side", View::SIDE),
            ("front", View::FRONT),
            ("tq", View::THREE_QUARTER),
        ] {
            let options = SheetOptions {
                figures: 30,
                columns: 15,
                cell_width: 110,
                cell_height: 220,
                view,
                ..Default::default()
            };
            std::fs::write(
                format!("/tmp/pics/{}_{v}.png", clip.name),
                draw_sheet(&clip, &options).unwrap(),
            )
            .unwrap();
        }
        std::fs::write(
            format!("/tmp/pics/{}_plot.png", clip.name),
            plot_clip(&clip, &Default::default()).unwrap(),
        )
        .unwrap();
    }
}
