//! Supports as the state machine of gaits wants them: cleaned of errors of timing, stands marked.
//!
//! Runs of equal tokens become supports; double supports and flights too short to be told from
//! errors of contact times go to their neighbours, uneven take-offs and landings are evened, long
//! double supports become stands. In: a token per frame. Out: supports over the same frames.
//! Cost: linear. Durations and their reasons: `ClassifyOptions`.

use afoot_core::FrameRate;

use crate::classify::ClassifyOptions;
use crate::gait::{Support, Token};

/// Longest that a runner stands on one foot: a slow jog has contacts of up to 0.35 s, a walk as fast
/// has single supports of no less. [s]
const WALKING_STANCE: f64 = 1.0 / 3.0;

/// Single support of a normal walk: two fifths of a cycle of about a second. [s]
const NORMAL_STEP: f64 = 0.4;

/// The supports of a clip, cleaned.
pub fn settled_supports(
    tokens: &[Token],
    rate: FrameRate,
    options: &ClassifyOptions,
) -> Vec<Support> {
    let frames = |seconds: f64| whole_frames(seconds, rate);
    let uneven = frames(options.uneven_seconds);
    let doubt = Doubt {
        within: frames(options.timing_error),
        at_ends: uneven,
        walking: walking_stance(rate),
    };
    let stand = (options.stand_seconds * rate.fps() - 1e-6).ceil();
    let standing = Standing {
        least: stand.clamp(1.0, 1e9),
        step: NORMAL_STEP * rate.fps(),
        margin: frames(options.jump_margin_seconds),
    };
    let told = drop_doubtful(supports_of(tokens), &doubt);
    mark_stands(even_out(told, uneven), &standing)
}

/// Nobody runs on stances of so many frames or more.
pub fn walking_stance(rate: FrameRate) -> usize {
    whole_frames(WALKING_STANCE, rate)
}

fn whole_frames(seconds: f64, rate: FrameRate) -> usize {
    (seconds * rate.fps() + 1e-6).floor().min(1e9) as usize
}

fn supports_of(tokens: &[Token]) -> Vec<Support> {
    joined(tokens.iter().map(|token| Support {
        token: *token,
        frames: 1,
    }))
}

/// Neighbours with the same token made one.
fn joined(supports: impl IntoIterator<Item = Support>) -> Vec<Support> {
    let mut out: Vec<Support> = Vec::new();
    for support in supports.into_iter().filter(|support| support.frames > 0) {
        match out.last_mut() {
            Some(last) if last.token == support.token => last.frames += support.frames,
            _ => out.push(support),
        }
    }
    out
}

/// Gives double supports and flights that may be errors of timing to their neighbours, half each.
fn drop_doubtful(supports: Vec<Support>, doubt: &Doubt) -> Vec<Support> {
    let last = supports.len().saturating_sub(1);
    let mut out: Vec<Support> = Vec::new();
    let mut carried = 0;
    for (index, support) in supports.iter().enumerate() {
        match out.last_mut() {
            _ if last == 0 || !doubt.is_about(&supports, index) => out.push(Support {
                token: support.token,
                frames: support.frames + std::mem::take(&mut carried),
            }),
            Some(before) => {
                let back = if index == last {
                    support.frames
                } else {
                    support.frames / 2
                };
                before.frames += back;
                carried += support.frames - back;
            }
            None => carried += support.frames,
        }
    }
    match out.last_mut() {
        Some(before) => before.frames += carried,
        None => return supports,
    }
    joined(out)
}

/// When to doubt a double support or a flight, in frames.
struct Doubt {
    /// At most so long within the clip.
    within: usize,
    /// At most so long at its ends.
    at_ends: usize,
    /// Stances of a walk are at least so long, those of a run shorter.
    walking: usize,
}

impl Doubt {
    /// Short flights of a walk, short double supports of a run, and either between other things.
    fn is_about(&self, supports: &[Support], index: usize) -> bool {
        let Support { token, frames } = supports[index];
        if token.is_single() || token == Token::Stand {
            return false;
        }
        let beside = index.checked_sub(1).map(|before| (before, index + 1));
        let Some((before, after)) = beside.filter(|(_, after)| *after < supports.len()) else {
            return frames <= self.at_ends;
        };
        let (before, after) = (supports[before], supports[after]);
        let step =
            before.token.is_single() && after.token.is_single() && before.token != after.token;
        // a stance that the clip's end cuts off tells nothing
        let stance = match (index == 1, index + 2 == supports.len()) {
            (true, false) => 2 * after.frames,
            (false, true) => 2 * before.frames,
            _ => before.frames + after.frames,
        };
        let walks = stance >= 2 * self.walking;
        frames <= self.within && (!step || walks == (token == Token::None))
    }
}

/// One foot for at most `limit` frames between both feet and flight counts as both.
fn even_out(mut supports: Vec<Support>, limit: usize) -> Vec<Support> {
    for index in 1..supports.len().saturating_sub(1) {
        let (before, after) = (supports[index - 1].token, supports[index + 1].token);
        let uneven = matches!(
            (before, after),
            (Token::Both, Token::None) | (Token::None, Token::Both)
        );
        let single = matches!(supports[index].token, Token::Left | Token::Right);
        if uneven && single && supports[index].frames <= limit {
            supports[index].token = Token::Both;
        }
    }
    joined(supports)
}

/// What makes a double support a stand, in frames.
struct Standing {
    /// It lasts at least so long between steps of a normal walk.
    least: f64,
    /// Single support of such a step; slower ones take longer stands.
    step: f64,
    /// What a flight takes away beside it.
    margin: usize,
}

/// Turns long double supports into stands, less a margin on each side on which there is a flight.
fn mark_stands(supports: Vec<Support>, standing: &Standing) -> Vec<Support> {
    let beside = |index: Option<usize>| index.and_then(|index| supports.get(index)).copied();
    let margin_of = |support: Option<Support>| match support.map(|support| support.token) {
        Some(Token::None) => standing.margin,
        _ => 0,
    };
    let mark = |(index, support): (usize, &Support)| {
        let (before, after) = (beside(index.checked_sub(1)), beside(Some(index + 1)));
        let step = match (before, after) {
            (Some(a), Some(b))
                if a.token.is_single() && b.token.is_single() && a.token != b.token =>
            {
                0.5 * (a.frames + b.frames) as f64
            }
            _ => 0.0,
        };
        let (before, after) = (margin_of(before), margin_of(after));
        let middle = support.frames.saturating_sub(before + after);
        let long = middle as f64 >= standing.least * (step / standing.step).max(1.0);
        if support.token != Token::Both || !long {
            return vec![*support];
        }
        let parts = [
            (Token::Both, before),
            (Token::Stand, middle),
            (Token::Both, after),
        ];
        parts
            .map(|(token, frames)| Support { token, frames })
            .to_vec()
    };
    joined(supports.iter().enumerate().flat_map(mark))
}
