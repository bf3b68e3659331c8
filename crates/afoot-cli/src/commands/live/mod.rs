//! `drive --live`: a figure steered from the keyboard, drawn in the terminal.
//!
//! The loop is a game's: keys in, one `advance` with the time that passed, a picture out, thirty times a
//! second. Left a view from above with the way behind, right the figure as seen from below the view's
//! edge. `crossterm` reads keys and sizes: raw mode needs system calls, and Windows has others. Terminals
//! do not tell when a key is let go, so a direction stays until the next.

mod dots;

use std::io::{IsTerminal, Write, stdin, stdout};
use std::time::{Duration, Instant};

use afoot::{Failure, Library, LiveFigure, LiveFrame, Run, Side};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, size};

use crate::console::Console;
use crate::failure::Outcome;
use dots::{Dots, Ink};

const FRAME: Duration = Duration::from_millis(33);
/// Two keys within this long mean the direction between them.
const TOGETHER: Duration = Duration::from_millis(200);
/// How fast time may pass.
const SPEEDS: [f64; 7] = [0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0];
const USUAL_SPEED: usize = 4;
/// What the view from above shows from left to right. [m]
const WIDTH: f64 = 8.0;
/// How much of the way behind is drawn. [points]
const TRAIL: usize = 240;

const ENTER: &str = "\x1b[?1049h\x1b[?25l\x1b[2J";
const LEAVE: &str = "\x1b[0m\x1b[?25h\x1b[?1049l";

/// Steers until somebody quits.
pub fn drive_live(library: &Library, run: &Run, console: &Console) -> Outcome {
    if !(stdin().is_terminal() && stdout().is_terminal()) {
        let message = "steering from the keyboard needs a terminal on standard input and output";
        return Err(Failure::bad_request(message));
    }
    console.say("getting ready");
    let mut figure = library.steer_live(run)?;
    let screen = Screen::open()?;
    let mut wish = Wish::default();
    let told = steer(&mut figure, &mut wish, run);
    drop(screen);
    let calls = told?;
    console.say(calls.words(figure.reactions()));
    Ok(())
}

/// The terminal while it is ours.
struct Screen;

impl Screen {
    fn open() -> Result<Self, Failure> {
        enable_raw_mode().map_err(terminal_failed)?;
        let screen = Self;
        show(ENTER)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Nothing can be done about a terminal that is gone.
        let _ = show(LEAVE);
        let _ = disable_raw_mode();
    }
}

fn show(text: &str) -> Outcome {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(terminal_failed)
}

fn terminal_failed(error: std::io::Error) -> Failure {
    Failure::failed(format!("the terminal: {error}"))
}

/// What is wanted of the figure.
struct Wish {
    /// Where to. [degrees]
    direction: f64,
    /// The number of the word that is asked for, counted from 1.
    label: Option<usize>,
    speed: usize,
    paused: bool,
    quit: bool,
    /// The last key that went up or down (z) and left or right (x), and when.
    last: [Option<(f64, Instant)>; 2],
}

impl Default for Wish {
    fn default() -> Self {
        Self {
            direction: 180.0,
            label: None,
            speed: USUAL_SPEED,
            paused: false,
            quit: false,
            last: [None; 2],
        }
    }
}

impl Wish {
    fn key(&mut self, key: KeyEvent, words: usize) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => self.quit = true,
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => self.quit = true,
            KeyCode::Char('w' | 'W') | KeyCode::Up => self.go(1, -1.0),
            KeyCode::Char('s' | 'S') | KeyCode::Down => self.go(1, 1.0),
            KeyCode::Char('a' | 'A') | KeyCode::Left => self.go(0, -1.0),
            KeyCode::Char('d' | 'D') | KeyCode::Right => self.go(0, 1.0),
            KeyCode::Char('+' | '=') => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            KeyCode::Char('-' | '_') => self.speed = self.speed.saturating_sub(1),
            KeyCode::Char(' ') => self.paused = !self.paused,
            KeyCode::Char('0') => self.label = None,
            KeyCode::Char(digit @ '1'..='9') => {
                let number = digit as usize - '0' as usize;
                self.label = Some(number).filter(|&number| number <= words);
            }
            _ => {}
        }
    }

    /// A key along x (0) or z (1); with one across it that was pressed just before, between the two.
    fn go(&mut self, axis: usize, way: f64) {
        let now = Instant::now();
        self.last[axis] = Some((way, now));
        let fresh = |last: &Option<(f64, Instant)>| match last {
            Some((way, at)) if now.duration_since(*at) <= TOGETHER => *way,
            _ => 0.0,
        };
        let [x, z] = [fresh(&self.last[0]), fresh(&self.last[1])];
        self.direction = x.atan2(z).to_degrees();
    }
}

/// How long the controller's calls took. [ms]
#[derive(Default)]
struct Calls {
    count: usize,
    sum: f64,
    longest: f64,
}

impl Calls {
    fn note(&mut self, took: Duration) {
        let took = took.as_secs_f64() * 1e3;
        self.count += 1;
        self.sum += took;
        self.longest = self.longest.max(took);
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    fn words(&self, reactions: &[f64]) -> String {
        format!(
            "{} calls of {:.3} ms, the longest {:.3} ms; {}",
            self.count,
            self.mean(),
            self.longest,
            reaction_words(reactions)
        )
    }
}

fn reaction_words(reactions: &[f64]) -> String {
    let mut sorted = reactions.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.get(sorted.len() / 2) {
        None => "no new direction taken".into(),
        Some(median) => format!(
            "a new direction took {median:.2} s (median of {})",
            sorted.len()
        ),
    }
}

fn steer(figure: &mut LiveFigure, wish: &mut Wish, run: &Run) -> Result<Calls, Failure> {
    let words = figure.words().to_vec();
    let (mut calls, mut trail) = (Calls::default(), Vec::new());
    let (mut last, mut rate) = (Instant::now(), 30.0);
    while !wish.quit && run.check().is_ok() {
        take_keys(wish, last + FRAME, words.len())?;
        let passed = last.elapsed().as_secs_f64();
        last = Instant::now();
        rate += 0.1 * (1.0 / passed.max(1e-3) - rate);
        let seconds = if wish.paused {
            0.0
        } else {
            passed * SPEEDS[wish.speed]
        };
        let label = wish.label.map(|number| words[number - 1].as_str());
        let begun = Instant::now();
        let frame = figure.advance(seconds, wish.direction, label)?;
        calls.note(begun.elapsed());
        trail.push([f64::from(frame.points[0][0]), f64::from(frame.points[0][2])]);
        let behind = trail.len().saturating_sub(TRAIL);
        trail.drain(..behind);
        let (columns, rows) = size().map_err(terminal_failed)?;
        let view = View {
            size: [usize::from(columns).max(40), usize::from(rows).max(12)],
            figure,
            frame: &frame,
            trail: &trail,
            wish,
            words: &words,
        };
        show(&view.text(&calls, rate))?;
    }
    Ok(calls)
}

/// Keys until it is time for the next frame.
fn take_keys(wish: &mut Wish, until: Instant, words: usize) -> Outcome {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if !poll(left).map_err(terminal_failed)? {
            return Ok(());
        }
        if let Event::Key(key) = read().map_err(terminal_failed)? {
            wish.key(key, words);
        }
    }
}

/// All that is drawn.
struct View<'a> {
    /// Columns and rows.
    size: [usize; 2],
    figure: &'a LiveFigure,
    frame: &'a LiveFrame,
    trail: &'a [[f64; 2]],
    wish: &'a Wish,
    words: &'a [String],
}

impl View<'_> {
    fn text(&self, calls: &Calls, rate: f64) -> String {
        let [columns, rows] = self.size;
        let [above, beside] = [columns / 2, columns - columns / 2 - 1];
        let pictures = rows - 4;
        let (plan, body) = (self.plan(above, pictures), self.body(beside, pictures));
        let mut text = String::from("\x1b[H");
        let mut line = |words: &str| {
            let fitted: String = words.chars().take(columns).collect();
            text += &format!("\x1b[0m{fitted}\x1b[K\r\n");
        };
        line("W A S D or arrows: direction   + -: speed   space: pause   Q: quit");
        line(&self.label_words());
        for row in 0..pictures {
            text += &format!("{}\x1b[0;2m│{}\x1b[K\r\n", plan.row(row), body.row(row));
        }
        let frame = self.frame;
        let reaction = match (frame.waiting, frame.reaction) {
            (Some(waiting), _) => format!("reaction … {waiting:.2} s"),
            (None, Some(reaction)) => format!("reaction {reaction:.2} s"),
            (None, None) => "reaction –".into(),
        };
        let first = format!(
            "{:.2} m/s   {reaction}   {}",
            frame.speed,
            reaction_words(self.figure.reactions())
        );
        let second = format!(
            "{rate:.0} frames/s   a call {:.3} ms, longest {:.3} ms   time ×{}{}",
            calls.mean(),
            calls.longest,
            SPEEDS[self.wish.speed],
            if self.wish.paused { "   paused" } else { "" }
        );
        let fitted = |words: &str| words.chars().take(columns).collect::<String>();
        text += &format!(
            "\x1b[0m{}\x1b[K\r\n{}\x1b[K",
            fitted(&first),
            fitted(&second)
        );
        text
    }

    fn label_words(&self) -> String {
        let mark = |chosen: bool| if chosen { "●" } else { " " };
        let mut text = format!("0 anything{}", mark(self.wish.label.is_none()));
        for (word, number) in self.words.iter().zip(1..=9) {
            text += &format!("  {number} {word}{}", mark(self.wish.label == Some(number)));
        }
        text
    }

    /// From above: x to the right, z down; a grid of metres, the way behind, the body, the wish.
    fn plan(&self, columns: usize, rows: usize) -> Dots {
        let mut dots = Dots::new(columns, rows);
        let [x, _, z] = self.frame.points[0].map(f64::from);
        let scale = 2.0 * columns as f64 / WIDTH;
        let middle = [columns as f64, 2.0 * rows as f64];
        let at = |place: [f64; 2]| {
            [
                middle[0] + scale * (place[0] - x),
                middle[1] + scale * (place[1] - z),
            ]
        };
        let reach = 8;
        for i in -reach..=reach {
            for j in -reach..=reach {
                let corner = [x.round() + f64::from(i), z.round() + f64::from(j)];
                dots.dot(at(corner), Ink::Faint);
            }
        }
        for place in self.trail {
            dots.dot(at(*place), Ink::Trail);
        }
        self.draw_limbs(&mut dots, |[x, _, z]| at([x, z]));
        let (sin, cos) = self.wish.direction.to_radians().sin_cos();
        dots.line(
            at([x + 0.6 * sin, z + 0.6 * cos]),
            at([x + 1.2 * sin, z + 1.2 * cos]),
            Ink::Wish,
        );
        dots
    }

    /// From below the plan's edge, a little from above, so that up in the plan is away here.
    fn body(&self, columns: usize, rows: usize) -> Dots {
        const TALL: f64 = 2.3;
        let mut dots = Dots::new(columns, rows);
        let [x, _, z] = self.frame.points[0].map(f64::from);
        let scale = 4.0 * rows as f64 / TALL;
        let floor = 4.0 * rows as f64 - 0.25 * scale;
        let at = |[px, py, pz]: [f64; 3]| {
            let right = columns as f64 + scale * (px - x);
            [right, floor - scale * (0.95 * py - 0.3 * (pz - z))]
        };
        for step in -12..=12 {
            let place = [x.round() + 0.25 * f64::from(step), 0.0, z];
            dots.dot(at(place), Ink::Faint);
        }
        self.draw_limbs(&mut dots, at);
        dots
    }

    fn draw_limbs(&self, dots: &mut Dots, at: impl Fn([f64; 3]) -> [f64; 2]) {
        for limb in self.figure.limbs() {
            let ink = match limb.side {
                None => Ink::Middle,
                Some(Side::Left) => Ink::Left,
                Some(Side::Right) => Ink::Right,
            };
            let ends = [limb.from, limb.to].map(|point| self.frame.points[point].map(f64::from));
            dots.line(at(ends[0]), at(ends[1]), ink);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(wish: &mut Wish, code: KeyCode) {
        wish.key(KeyEvent::new(code, KeyModifiers::NONE), 3);
    }

    #[test]
    fn keys_say_where_to_and_how() {
        let mut wish = Wish::default();
        press(&mut wish, KeyCode::Right);
        assert_eq!(wish.direction, 90.0);
        // at once with it: between right and down
        press(&mut wish, KeyCode::Char('s'));
        assert_eq!(wish.direction, 45.0);
        wish.last = [None; 2];
        press(&mut wish, KeyCode::Char('A'));
        assert_eq!(wish.direction, -90.0);
        press(&mut wish, KeyCode::Char('2'));
        assert_eq!(wish.label, Some(2));
        press(&mut wish, KeyCode::Char('9'));
        assert_eq!(wish.label, None, "there are three words");
        press(&mut wish, KeyCode::Char('+'));
        assert_eq!(SPEEDS[wish.speed], 1.5);
        assert!(!wish.quit);
        press(&mut wish, KeyCode::Char('q'));
        assert!(wish.quit);
    }
}
