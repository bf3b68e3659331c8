//! Draws every clip of the sample library: a contact sheet and its curves, into a folder.

use std::path::PathBuf;

use afoot_draw::{ClipPlotOptions, SheetOptions, View, draw_sheet, plot_clip};
use afoot_sample::{SampleOptions, sample_library};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| "sheets".into()));
    let only: Vec<String> = arguments.collect();
    std::fs::create_dir_all(&folder)?;
    for clip in sample_library(&SampleOptions::default()) {
        if !only.is_empty() && !only.contains(&clip.name) {
            continue;
        }
        for (word, view) in [
            ("side", View::SIDE),
            ("turned", View::THREE_QUARTER),
            ("front", View::FRONT),
        ] {
            let options = SheetOptions {
                figures: 30,
                columns: 15,
                cell_width: 110,
                view,
                ..SheetOptions::default()
            };
            let file = folder.join(format!("{}_{word}.png", clip.name));
            std::fs::write(file, draw_sheet(&clip, &options)?)?;
        }
        let curves = plot_clip(&clip, &ClipPlotOptions::default())?;
        std::fs::write(folder.join(format!("{}_curves.png", clip.name)), curves)?;
        println!("{:24} {:5.2} s", clip.name, clip.seconds());
    }
    Ok(())
}
