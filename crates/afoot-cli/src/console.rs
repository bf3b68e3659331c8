//! What the user sees: results on standard output, progress and messages on standard error.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use afoot::{Cancel, Event, Failure, Progress, Run};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::arguments::Common;
use crate::failure::Outcome;

/// Where and how a command speaks.
#[derive(Clone, Debug)]
pub struct Console {
    json: bool,
    quiet: bool,
    /// What moves on the terminal.
    bar: Arc<Mutex<Option<Bar>>>,
    /// Warnings that were given: once is enough.
    warned: Arc<Mutex<BTreeSet<String>>>,
}

/// A sign of life: counted, where the work tells how much there is, else a clock.
#[derive(Debug)]
struct Bar {
    bar: ProgressBar,
    counted: bool,
}

/// Work that says nothing for this long gets a clock.
const PATIENCE: Duration = Duration::from_secs(1);

impl Console {
    pub fn new(common: &Common) -> Self {
        Self {
            json: common.json,
            quiet: common.quiet,
            bar: Arc::default(),
            warned: Arc::default(),
        }
    }

    /// A run that is shown here.
    pub fn run(&self, common: &Common, cancel: Cancel) -> Run {
        let console = self.clone();
        let run = Run::watched(move |event| console.show(event)).with_cancel(cancel);
        let run = run.with_seed(common.seed);
        match common
            .threads
            .and_then(|threads| NonZeroUsize::new(threads.into()))
        {
            Some(threads) => run.with_threads(threads),
            None => run,
        }
    }

    /// Shows a clock on a terminal whenever there is no bar, from the second second on.
    pub fn keep_alive(&self) {
        if !self.is_watched() {
            return;
        }
        let bar = Arc::downgrade(&self.bar);
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(PATIENCE);
                let Some(bar) = bar.upgrade() else {
                    return;
                };
                if let Ok(mut bar) = bar.lock() {
                    bar.get_or_insert_with(clock);
                }
            }
        });
    }

    /// Whether reports go out as JSON.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// The result: the report as JSON with --json, else its words.
    pub fn result<R: serde::Serialize>(
        &self,
        report: &R,
        words: impl FnOnce(&R) -> String,
    ) -> Outcome {
        self.clear();
        let mut text = if self.json {
            json!(report).to_string()
        } else {
            words(report)
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

    /// The result of a command whose work is a file or a change: its words are not printed with --quiet.
    pub fn done<R: serde::Serialize>(
        &self,
        report: &R,
        words: impl FnOnce(&R) -> String,
    ) -> Outcome {
        match self.quiet && !self.json {
            true => Ok(()),
            false => self.result(report, words),
        }
    }

    /// A remark beside the result; only to a terminal, and not with --quiet.
    pub fn say(&self, message: impl Display) {
        if self.is_watched() {
            self.clear();
            eprintln!("{message}");
        }
    }

    /// Something that the user should know of whatever happens; not with --quiet.
    fn warn(&self, message: &str) {
        let is_new = self
            .warned
            .lock()
            .is_ok_and(|mut warned| warned.insert(message.into()));
        if is_new && !self.quiet {
            self.clear();
            eprintln!("warning: {message}");
        }
    }

    fn show(&self, event: &Event) {
        match event {
            Event::Progress(progress) if self.is_watched() => self.advance(progress),
            Event::Progress(_) | Event::Partial(_) => {}
            Event::Note(words) => self.say(words),
            Event::Warning(words) => self.warn(words),
        }
    }

    /// Whether a terminal watches that wants to be told.
    fn is_watched(&self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }

    fn advance(&self, progress: &Progress) {
        if let Ok(mut held) = self.bar.lock() {
            if let Some(clock) = held.take_if(|bar| !bar.counted) {
                clock.bar.finish_and_clear();
            }
            let Bar { bar, .. } = held.get_or_insert_with(counted_bar);
            bar.set_message(progress.stage);
            bar.set_length(progress.total);
            bar.set_position(progress.done);
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Ok(mut bar) = self.bar.lock()
            && let Some(bar) = bar.take()
        {
            bar.bar.finish_and_clear();
        }
    }
}

fn clock() -> Bar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("       working {spinner} {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    Bar {
        bar,
        counted: false,
    }
}

fn counted_bar() -> Bar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let template = "{msg:>14} [{wide_bar}] {percent:>3}% {elapsed} (about {eta} left)";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    Bar { bar, counted: true }
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
