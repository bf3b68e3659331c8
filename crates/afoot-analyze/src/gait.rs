//! The state machine that tells walk, run and jump from the order of foot plants.
//!
//! Shanbhag 2006, appendix C. Its figures are lost; the transitions follow from the regular
//! expressions of §3.2: walk (B L B R)+, run (L N R N)+, jump (B N)+ B, (L N)+ L, (R N)+ R, from
//! any place in them. A flight remembers the foot it left from, the look-ahead that tells L N R
//! (run) from L N L (hop). Frames in UNKNOWN are named by the state that follows. Departures: L R
//! with nothing between goes on with whatever it was; a walk needs one change of feet through B
//! (or too slow for a run), a run two flights, else their frames stay unknown; a landing on both feet out of a run is a
//! running jump, which the thesis excludes; a flight is never part of a walk. Cost: linear.

use std::ops::Range;

use afoot_core::Locomotion;

/// Which feet are planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// The left one alone.
    Left,
    /// The right one alone.
    Right,
    /// Both, in passing.
    Both,
    /// Neither.
    None,
    /// Both, for so long that it is a stand.
    Stand,
}

impl Token {
    /// Whether one foot bears the figure.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }
}

/// A token and how long it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Support {
    /// Differs from those before and after it.
    pub token: Token,
    /// How many frames. [> 0]
    pub frames: usize,
}

/// The type of every frame of the supports. Nobody runs on stances of `walking` frames or more.
pub fn run_machine(supports: &[Support], walking: usize) -> Vec<Locomotion> {
    let mut machine = Machine {
        walking,
        ..Machine::default()
    };
    for support in supports {
        machine.enter(*support);
    }
    machine.end_clip();
    machine.types
}

/// The states of appendix C. The token is the sub-state; a flight's token is the one it left from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Unknown(Token),
    UnknownFlight(Token),
    Walk(Token),
    Run(Token),
    RunFlight(Token),
    Jump(Token),
    JumpFlight(Token),
}

impl State {
    /// The state in which a clip starts.
    fn first(token: Token) -> Self {
        match token {
            Token::None => Self::UnknownFlight(Token::None),
            _ => Self::Unknown(token),
        }
    }

    /// The transition diagram. `token` differs from the one before and is not `Stand`.
    fn next(self, token: Token) -> Self {
        use State::*;
        use Token::{Both, None, Stand};
        match (self, token) {
            (Unknown(Both | Stand), None) => JumpFlight(Both),
            (Unknown(foot), None) => UnknownFlight(foot),
            (Unknown(Both | Stand), _) | (Unknown(_), Both) => Walk(token),
            (Unknown(_), _) => Unknown(token),
            (UnknownFlight(_), Both) | (UnknownFlight(Both), _) => Jump(token),
            (UnknownFlight(None), _) => Unknown(token),
            (UnknownFlight(from) | JumpFlight(from), _) if from == token => Jump(token),
            (UnknownFlight(_), _) => Run(token),
            (Walk(from), None) => UnknownFlight(from),
            (Walk(_), _) => Walk(token),
            (Run(foot), None) => RunFlight(foot),
            (Run(_), Both) => Unknown(Both),
            (Run(_), _) => Run(token),
            (RunFlight(from), _) if from == token => Jump(token),
            (RunFlight(_), Both) => Unknown(Both),
            (RunFlight(_), _) => Run(token),
            (Jump(from), None) => JumpFlight(from),
            (Jump(_), Both) => Jump(Both),
            (Jump(_), _) => Unknown(token),
            (JumpFlight(Both), _) | (JumpFlight(_), Both) => Jump(token),
            (JumpFlight(_), _) => Run(token),
        }
    }

    /// What the frames since the entry are, if it stays like this.
    fn kind(self) -> Option<Locomotion> {
        match self {
            Self::Unknown(_) | Self::UnknownFlight(_) => None,
            Self::Walk(_) => Some(Locomotion::Walk),
            Self::Run(_) | Self::RunFlight(_) => Some(Locomotion::Run),
            Self::Jump(_) | Self::JumpFlight(_) => Some(Locomotion::Jump),
        }
    }

    fn in_flight(self) -> bool {
        matches!(
            self,
            Self::UnknownFlight(_) | Self::RunFlight(_) | Self::JumpFlight(_)
        )
    }
}

#[derive(Default)]
struct Machine {
    types: Vec<Locomotion>,
    /// `None` before the first token.
    state: Option<State>,
    last: Option<Token>,
    /// The foot that last bore the figure alone, since the last stand, and for how many frames.
    foot: Option<Support>,
    walking: usize,
    /// What has been seen in the frames that are not named yet.
    seen: Seen,
}

#[derive(Default)]
struct Seen {
    /// First frame that is not named yet.
    entry: usize,
    flights: Vec<Range<usize>>,
    /// L or R.
    singles: usize,
    /// Changes of foot through B, or too slow for a run.
    steps: usize,
    /// Changes of foot with nothing between.
    swaps: usize,
}

impl Machine {
    fn enter(&mut self, Support { token, frames }: Support) {
        let now = self.types.len();
        self.types.resize(now + frames, Locomotion::Other);
        if token == Token::Stand {
            return self.stand(now, frames);
        }
        let next = match self.state {
            Some(state) => state.next(token),
            None => State::first(token),
        };
        self.change(next, now);
        match token {
            Token::None => self.seen.flights.push(now..now + frames),
            Token::Left | Token::Right => self.count_foot(Support { token, frames }),
            Token::Both | Token::Stand => {}
        }
        self.last = Some(token);
    }

    fn end_clip(&mut self) {
        let now = self.types.len();
        match self.state {
            Some(State::Unknown(Token::Both)) if self.seen.singles == 0 => {
                self.name(now, Locomotion::Stand);
            }
            _ => self.settle(now),
        }
        assert_eq!(self.seen.entry, now, "every frame has been named");
    }

    fn stand(&mut self, now: usize, frames: usize) {
        self.settle(now);
        self.name(now + frames, Locomotion::Stand);
        self.state = Some(State::Unknown(Token::Stand));
        self.last = Some(Token::Stand);
        self.foot = None;
    }

    /// The exit and entry actions. What was not certain stays unnamed, for the next state to name.
    fn change(&mut self, next: State, now: usize) {
        if let Some(state) = self.state
            && let Some(kind) = state.kind()
            && next.kind() != Some(kind)
            && self.seen.proves(kind)
        {
            let flight = self.seen.flights.last().filter(|_| state.in_flight());
            self.name(flight.map_or(now, |flight| flight.start), kind);
        }
        self.state = Some(next);
    }

    fn count_foot(&mut self, support: Support) {
        self.seen.singles += 1;
        if let Some(foot) = self.foot.replace(support)
            && foot.token != support.token
        {
            let swapped = self.last == Some(foot.token);
            let slow = foot.frames.min(support.frames) >= self.walking;
            self.seen.swaps += usize::from(swapped);
            self.seen.steps += usize::from(self.last == Some(Token::Both) || swapped && slow);
        }
        if self.state == Some(State::Unknown(support.token)) && self.seen.steps > 0 {
            self.state = Some(State::Walk(support.token));
        }
    }

    /// Names what is left where nothing follows that could name it. Feet that change without a
    /// flight are a walk, be its double supports too short to see.
    fn settle(&mut self, end: usize) {
        let seen = &self.seen;
        let swapped = seen.swaps > 0 && seen.flights.is_empty();
        let kind = match self.state.and_then(State::kind) {
            Some(kind) if seen.proves(kind) => kind,
            None | Some(Locomotion::Walk) if swapped => Locomotion::Walk,
            _ => Locomotion::Other,
        };
        self.name(end, kind);
    }

    /// Names the frames from the entry to `end`, but flights only `Run` or `Jump`.
    fn name(&mut self, end: usize, kind: Locomotion) {
        self.types[self.seen.entry..end].fill(kind);
        let mut flights = std::mem::take(&mut self.seen.flights);
        if !matches!(kind, Locomotion::Run | Locomotion::Jump) {
            let past = flights.iter().filter(|flight| flight.end <= end);
            past.for_each(|flight| self.types[flight.clone()].fill(Locomotion::Other));
        }
        flights.retain(|flight| flight.start >= end);
        self.seen = Seen {
            entry: end,
            flights,
            ..Seen::default()
        };
    }
}

impl Seen {
    fn proves(&self, kind: Locomotion) -> bool {
        match kind {
            Locomotion::Walk => self.steps >= 1,
            Locomotion::Run => self.flights.len() >= 2,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks `supports`, written like "B79 L47", against types, written like "walk 126".
    fn check(supports: &str, expected: &str) {
        let support = |word: &str| Support {
            token: match &word[..1] {
                "L" => Token::Left,
                "R" => Token::Right,
                "B" => Token::Both,
                "S" => Token::Stand,
                _ => Token::None,
            },
            frames: word[1..].parse().unwrap(),
        };
        let supports: Vec<Support> = supports.split(' ').map(support).collect();
        let types = run_machine(&supports, 10);
        let mut found: Vec<(Locomotion, usize)> = Vec::new();
        for kind in types {
            match found.last_mut() {
                Some((last, frames)) if *last == kind => *frames += 1,
                _ => found.push((kind, 1)),
            }
        }
        let words: Vec<String> = found
            .iter()
            .map(|(k, n)| format!("{} {n}", k.name()))
            .collect();
        assert_eq!(words.join(" "), expected, "{supports:?}");
    }

    #[test]
    fn the_example_of_appendix_c() {
        check("B79 L47 B39 R36 B44 N30 B19", "walk 245 jump 49");
    }

    #[test]
    fn the_regular_expressions_from_any_place_in_them() {
        check("B9", "stand 9");
        for walk in [
            "B3 L9 B3 R9",
            "L9 B3 R9 B3",
            "R4 B3 L9 B3 R9 B3 L2",
            "R9 B2 L9",
        ] {
            let frames: usize = walk
                .split(' ')
                .map(|w| w[1..].parse::<usize>().unwrap())
                .sum();
            check(walk, &format!("walk {frames}"));
        }
        check("L6 N4 R6 N4", "run 20");
        check("N4 R6 N4 L6 N4 R1", "run 25");
        check("B9 N9 B9 N9 B9", "jump 45");
        check("L5 N5 L5", "jump 15");
        check("R5 N5 R5 N5 R5", "jump 25");
    }

    #[test]
    fn hopscotch_is_a_jump() {
        check("B9 N5 L5 N5 B5 N5 R5 N5 B9", "jump 53");
    }

    #[test]
    fn feet_that_change_with_nothing_between() {
        check("L9 R9 L9", "walk 27");
        check("L9 R9 L9 B2 R9", "walk 38");
        check("L6 R6 N4 L6 N4 R6 L6 N4", "run 42");
        check("L16 R18 L17 N9", "walk 51 other 9");
        check("L16 R18 N4 L6 N4 R6", "walk 34 run 20");
    }

    #[test]
    fn a_doubtful_start_is_named_by_what_follows() {
        check("B2 R6 L7 N3 R6 N2 L6", "run 32");
        check("B2 R6 N3 B9", "jump 20");
    }

    #[test]
    fn changes_of_gait() {
        check("B3 L9 B3 R9 N4 L6 N4 R6 N4", "walk 24 run 24");
        check("L6 N4 R6 N4 L6 B5 R9 B4 L9", "run 26 walk 27");
        check("S40 L9 B3 R9 S40", "stand 40 walk 21 stand 40");
        check("B9 N9 B9 R7 B4 L11 B4", "jump 27 walk 26");
        check("L6 N4 R6 N4 R6", "run 16 jump 10");
    }

    #[test]
    fn what_proves_nothing_stays_other() {
        check("L9", "other 9");
        check("N9", "other 9");
        check("B3 L9", "other 12");
        check("L6 N4 R6", "other 16");
        check("S40 L9 S40", "stand 40 other 9 stand 40");
        // a leap within a walk
        check("L9 B3 R9 N6 L9 B3 R9", "walk 21 other 6 walk 21");
        // a running jump
        check("L6 N4 R6 N4 L6 N9 B9", "run 26 other 9 stand 9");
        assert!(run_machine(&[], 10).is_empty());
    }
}
