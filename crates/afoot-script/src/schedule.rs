//! When everything in a scene happens.
//!
//! An action begins when what it comes after is done and its actor is free (Shanbhag 2006, figures 7.9 and 7.10,
//! where actors are in both branches of a `par`); of several that could begin, the one that is written first.
//! Actions that happen with others wait for each other: whichever would be early is put off, until all
//! meet. In: the scene, how long each action takes, where its moments are. Out: start and end of each.

use crate::program::{CallId, Flow, Meeting, ProgramScene};

/// How long an action takes, and where in it its meeting's moments are. [s]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Duration {
    /// All of it.
    pub seconds: f64,
    /// Seconds a frame, which moments are counted in.
    pub frame: f64,
}

/// When everything happens. [s]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schedule {
    /// Start and end of each call.
    pub spans: Vec<[f64; 2]>,
    /// When the scene is over.
    pub end: f64,
}

/// A meeting that can never be, because each waits for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeverMeets(pub CallId);

/// Meetings are met to this. [s]
const TOGETHER: f64 = 1e-9;

/// Finds when everything happens.
pub fn schedule(scene: &ProgramScene, durations: &[Duration]) -> Result<Schedule, NeverMeets> {
    assert_eq!(
        scene.calls.len(),
        durations.len(),
        "a duration for each call"
    );
    let order = Order::new(&scene.flow, scene.calls.len());
    let mut earliest = vec![0.0; scene.calls.len()];
    // Each round puts off one more call at the least; where all have been and still are, it goes on for ever.
    for _ in 0..=2 * scene.calls.len() {
        let found = lay_out(scene, &order, durations, &earliest);
        if put_off(scene, durations, &found, &mut earliest).is_none() {
            return Ok(found);
        }
    }
    let found = lay_out(scene, &order, durations, &earliest);
    let late = put_off(scene, durations, &found, &mut earliest);
    Err(NeverMeets(late.unwrap_or(CallId(0))))
}

/// Puts off whoever is early for a meeting; one of them, or `None` if all meet.
fn put_off(
    scene: &ProgramScene,
    durations: &[Duration],
    found: &Schedule,
    earliest: &mut [f64],
) -> Option<CallId> {
    let mut early = None;
    for (own, call) in scene.calls.iter().enumerate() {
        let Some(meeting) = &call.sync else { continue };
        let other = meeting.other.0 as usize;
        let apart = apart(meeting, [own, other], durations, found);
        if apart.abs() <= TOGETHER {
            continue;
        }
        let waits = if apart > 0.0 { own } else { other };
        earliest[waits] = found.spans[waits][0] + apart.abs();
        early = Some(CallId(waits as u32));
    }
    early
}

/// How much later a call would have to be to meet the other. [s]
fn apart(meeting: &Meeting, calls: [usize; 2], durations: &[Duration], found: &Schedule) -> f64 {
    let [own, other] = calls;
    let at = |call: usize, moment| found.spans[call][0] + durations[call].offset(moment);
    at(other, meeting.moment) + meeting.later - at(own, meeting.own)
}

impl Duration {
    fn offset(&self, moment: crate::program::Moment) -> f64 {
        use crate::program::Moment::{End, Frame, Middle, Start};
        match moment {
            Start => 0.0,
            Middle => self.seconds / 2.0,
            Frame(frame) => f64::from(frame - 1) * self.frame,
            End => self.seconds,
        }
    }
}

/// What comes after what: events, each of which happens when all that lead to it have.
struct Order {
    /// Events that an event leads to, with the call that lies between, if one does.
    after: Vec<Vec<(usize, Option<usize>)>>,
    /// How much leads to each.
    needs: Vec<usize>,
}

impl Order {
    fn new(flow: &Flow, calls: usize) -> Self {
        let mut order = Self {
            after: Vec::with_capacity(2 * calls + 2),
            needs: Vec::with_capacity(2 * calls + 2),
        };
        let start = order.event();
        order.add(flow, start);
        order
    }

    fn event(&mut self) -> usize {
        self.after.push(Vec::new());
        self.needs.push(0);
        self.after.len() - 1
    }

    fn lead(&mut self, from: usize, to: usize, call: Option<usize>) {
        self.after[from].push((to, call));
        self.needs[to] += 1;
    }

    /// Adds what happens after an event; gives the event that ends it.
    fn add(&mut self, flow: &Flow, start: usize) -> usize {
        match flow {
            Flow::Seq(steps) => steps.iter().fold(start, |at, step| self.add(step, at)),
            Flow::Par(steps) => {
                let ends: Vec<usize> = steps.iter().map(|step| self.add(step, start)).collect();
                let end = self.event();
                self.lead(start, end, None);
                for each in ends {
                    self.lead(each, end, None);
                }
                end
            }
            Flow::Do(CallId(call)) => {
                let end = self.event();
                self.lead(start, end, Some(*call as usize));
                end
            }
        }
    }
}

/// Lays calls out, none before it may: again and again the one that can begin first.
fn lay_out(
    scene: &ProgramScene,
    order: &Order,
    durations: &[Duration],
    earliest: &[f64],
) -> Schedule {
    let mut layout = Layout {
        order,
        needs: order.needs.clone(),
        times: vec![0.0; order.needs.len()],
        ready: Vec::new(),
        end: 0.0,
    };
    layout.happen(0);
    let roles = scene.calls.iter().map(|call| call.role.0 as usize + 1);
    let mut free = vec![0.0; roles.max().unwrap_or(0)];
    let mut spans = vec![[0.0; 2]; scene.calls.len()];
    while !layout.ready.is_empty() {
        let start = |waiting: &Waiting| {
            let role = scene.calls[waiting.call].role.0 as usize;
            let free: f64 = free[role];
            free.max(waiting.since).max(earliest[waiting.call])
        };
        let first = (0..layout.ready.len()).min_by(|&a, &b| {
            let [a, b] = [a, b].map(|at| &layout.ready[at]);
            start(a).total_cmp(&start(b)).then(a.call.cmp(&b.call))
        });
        let waiting = layout.ready.swap_remove(first.expect("something is ready"));
        let begins = start(&waiting);
        let ends = begins + durations[waiting.call].seconds;
        spans[waiting.call] = [begins, ends];
        free[scene.calls[waiting.call].role.0 as usize] = ends;
        layout.arrive(waiting.leads_to, ends);
    }
    Schedule {
        spans,
        end: layout.end,
    }
}

struct Layout<'a> {
    order: &'a Order,
    needs: Vec<usize>,
    times: Vec<f64>,
    ready: Vec<Waiting>,
    end: f64,
}

/// A call that may begin as soon as its actor is free.
struct Waiting {
    call: usize,
    since: f64,
    leads_to: usize,
}

impl Layout<'_> {
    /// One of the things that lead to an event is over.
    fn arrive(&mut self, event: usize, at: f64) {
        self.times[event] = self.times[event].max(at);
        self.end = self.end.max(at);
        self.needs[event] -= 1;
        if self.needs[event] == 0 {
            self.happen(event);
        }
    }

    fn happen(&mut self, event: usize) {
        let (order, since) = (self.order, self.times[event]);
        for &(leads_to, call) in &order.after[event] {
            match call {
                Some(call) => self.ready.push(Waiting {
                    call,
                    since,
                    leads_to,
                }),
                None => self.arrive(leads_to, since),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Call, Moment, RoleId};
    use crate::source::Span;

    fn call(role: u32, sync: Option<Meeting>) -> Call {
        Call {
            role: RoleId(role),
            action: 0,
            sync,
            span: Span::default(),
        }
    }

    fn scene(roles: &[u32], flow: Flow) -> ProgramScene {
        ProgramScene {
            name: String::new(),
            camera: None,
            placed: Vec::new(),
            calls: roles.iter().map(|&role| call(role, None)).collect(),
            flow,
        }
    }

    fn check(scene: &ProgramScene, seconds: &[f64], expected: &[[f64; 2]]) {
        let durations: Vec<Duration> = seconds
            .iter()
            .map(|&seconds| Duration {
                seconds,
                frame: 1.0 / 30.0,
            })
            .collect();
        let found = schedule(scene, &durations).unwrap();
        assert_eq!(found.spans, expected);
    }

    fn one(number: u32) -> Flow {
        Flow::Do(CallId(number))
    }

    #[test]
    fn figure_7_9_with_unequal_lengths() {
        // Actions 1 to 12 of the thesis are calls 0 to 11, instances 1 to 4 roles 0 to 3.
        let roles = [0, 1, 2, 3, 0, 1, 0, 2, 3, 3, 1, 2];
        let first = Flow::Seq(vec![
            Flow::Par(vec![one(0), one(1)]),
            Flow::Par(vec![one(2), one(3)]),
            one(4),
            one(5),
        ]);
        let second = Flow::Par(vec![
            Flow::Seq(vec![one(6), one(7), one(8)]),
            Flow::Seq(vec![one(9), one(10), one(11)]),
        ]);
        let scene = scene(&roles, Flow::Seq(vec![first, second]));
        let seconds = [2.0, 3.0, 1.0, 4.0, 1.0, 1.0, 5.0, 2.0, 1.0, 2.0, 1.0, 3.0];
        check(
            &scene,
            &seconds,
            &[
                [0.0, 2.0],
                [0.0, 3.0],
                [3.0, 4.0],
                [3.0, 7.0],
                [7.0, 8.0],
                [8.0, 9.0],
                [9.0, 14.0],
                [15.0, 17.0], // instance 3 is busy with action 12 until then
                [17.0, 18.0],
                [9.0, 11.0], // instance 4 is free: action 9 comes later
                [11.0, 12.0],
                [12.0, 15.0],
            ],
        );
    }

    #[test]
    fn one_actor_in_a_par_does_one_thing_after_the_other() {
        let scene = scene(&[0, 0, 1], Flow::Par(vec![one(0), one(1), one(2)]));
        check(
            &scene,
            &[1.0, 2.0, 5.0],
            &[[0.0, 1.0], [1.0, 3.0], [0.0, 5.0]],
        );
    }

    #[test]
    fn whoever_is_early_waits_for_the_other() {
        let flow = Flow::Par(vec![
            Flow::Seq(vec![one(0), one(1)]),
            Flow::Seq(vec![one(2), one(3)]),
        ]);
        let mut scene = scene(&[0, 0, 1, 1], flow);
        scene.calls[1].sync = Some(Meeting {
            own: Moment::Middle,
            other: CallId(3),
            moment: Moment::Middle,
            later: 0.5,
        });
        // The second waits at first for the first one's, then the first for half a second more.
        check(
            &scene,
            &[2.0, 2.0, 5.0, 4.0],
            &[[0.0, 2.0], [6.5, 8.5], [0.0, 5.0], [5.0, 9.0]],
        );
        check(
            &scene,
            &[9.0, 2.0, 1.0, 4.0],
            &[[0.0, 9.0], [9.0, 11.0], [0.0, 1.0], [7.5, 11.5]],
        );
    }

    #[test]
    fn what_comes_after_a_thing_never_begins_with_it() {
        let mut scene = scene(&[0, 1], Flow::Seq(vec![one(0), one(1)]));
        scene.calls[1].sync = Some(Meeting {
            own: Moment::Start,
            other: CallId(0),
            moment: Moment::Start,
            later: 0.0,
        });
        let second = Duration {
            seconds: 1.0,
            frame: 0.1,
        };
        assert!(schedule(&scene, &[second; 2]).is_err());
    }

    #[test]
    fn an_empty_scene_is_over_at_once() {
        check(&scene(&[], Flow::Par(vec![Flow::Seq(vec![])])), &[], &[]);
    }
}
