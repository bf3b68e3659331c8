//! What the user sees: results on standard output, progress and messages on standard error.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;

use crate::arguments::Common;
use crate::failure::{Failure, Outcome};

/// Where and how a command speaks.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    json: bool,
    quiet: bool,
}

impl Console {
    pub fn new(common: &Common) -> Self {
        Self {
            json: common.json,
            quiet: common.quiet,
        }
    }

    /// The result: `json` with --json, else the lines that `words` gives.
    pub fn result(&self, json: impl FnOnce() -> Value, words: impl FnOnce() -> String) -> Outcome {
        let mut text = if self.json {
            json().to_string()
        } else {
            words()
        };
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let mut out = std::io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            // The reader (head, less) has seen enough: not a failure of ours.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            other => other.map_err(Failure::from),
        }
    }

    /// A remark beside the result; only to a terminal, and not with --quiet.
    pub fn say(&self, message: impl Display) {
        if !self.quiet && std::io::stderr().is_terminal() {
            eprintln!("{message}");
        }
    }

    /// Something that the user should know of whatever happens; not with --quiet.
    pub fn warn(&self, message: impl Display) {
        if !self.quiet {
            eprintln!("warning: {message}");
        }
    }

    /// A bar for `total` steps of work; invisible unless a terminal watches.
    pub fn progress(&self, total: u64, what: &'static str) -> ProgressBar {
        let visible = !self.quiet && std::io::stderr().is_terminal();
        let target = if visible {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(Some(total), target);
        let template = "{msg:>14} [{wide_bar}] {percent:>3}% {elapsed} (about {eta} left)";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

/// Rows as aligned columns, the first row underlined.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
    };
    let widths: Vec<usize> = (0..columns)
        .map(|column| width(column).unwrap_or(0))
        .collect();
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:width$}"));
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
        if index == 0 {
            let lines: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
            text.push_str(&lines.join("  "));
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn columns_line_up() {
        let row = |cells: [&str; 2]| cells.map(String::from).to_vec();
        let text = table(&[row(["clip", "s"]), row(["a", "12.5"]), row(["walk_1", ""])]);
        assert_eq!(text, "clip    s\n------  ----\na       12.5\nwalk_1\n");
    }
}
