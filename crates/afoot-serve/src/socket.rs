//! The page's line: what happens goes out, steering comes in and is answered with poses at once.

use std::sync::Arc;

use afoot::{Failure, LiveFigure, LiveFrame, Run};
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::{Message as Frame, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::Response;
use tokio::sync::broadcast::error::RecvError;

use crate::api::{MotionHead, Said, Told};
use crate::bench::{Bench, Message};
use crate::frames::pack;
use crate::reply::{Refusal, Reply, aside};

/// Largest thing that a page may say. [bytes]
const MOST: usize = 16 << 10;

pub(crate) async fn open(
    State(bench): State<Arc<Bench>>,
    upgrade: WebSocketUpgrade,
) -> Reply<Response> {
    let Ok(place) = Arc::clone(&bench.sockets).try_acquire_owned() else {
        let words = "too many pages are open";
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, words));
    };
    let upgrade = upgrade.max_message_size(MOST).max_frame_size(MOST);
    Ok(upgrade.on_upgrade(move |socket| async move {
        talk(bench, socket).await;
        drop(place);
    }))
}

/// Until either side ends it.
async fn talk(bench: Arc<Bench>, mut socket: WebSocket) {
    let mut news = bench.listen();
    let mut figure: Option<LiveFigure> = None;
    loop {
        let answer = tokio::select! {
            heard = news.recv() => match heard {
                Ok(Message::Text(text)) => Frame::Text(text),
                Ok(Message::Motion(bytes)) => Frame::Binary(bytes),
                Err(RecvError::Lagged(_)) => text(&Told::Missed {}),
                Err(RecvError::Closed) => return,
            },
            said = socket.recv() => match said {
                Some(Ok(Frame::Text(said))) => match serde_json::from_str::<Said>(&said) {
                    Ok(said) => match reply(&bench, &mut figure, said).await {
                        Some(answer) => answer,
                        None => continue,
                    },
                    Err(error) => no_steering(Failure::bad_request(error)),
                },
                Some(Ok(Frame::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
        };
        if socket.send(answer).await.is_err() {
            return;
        }
    }
}

fn text(told: &Told) -> Frame {
    Frame::Text(serde_json::to_string(told).unwrap_or_default().into())
}

fn no_steering(failure: Failure) -> Frame {
    text(&Told::NoSteering { failure })
}

async fn reply(bench: &Arc<Bench>, figure: &mut Option<LiveFigure>, said: Said) -> Option<Frame> {
    match said {
        Said::Begin {} => {
            let bench = Arc::clone(bench);
            let ready = aside(move || bench.library().steer_live(&Run::quiet())).await;
            Some(match ready {
                Ok(ready) => {
                    let told = Told::Steering {
                        body: ready.body(),
                        words: ready.words().to_vec(),
                    };
                    *figure = Some(ready);
                    text(&told)
                }
                Err(refusal) => no_steering(refusal.failure),
            })
        }
        Said::Steer {
            seconds,
            degrees,
            label,
            stamp,
        } => {
            let figure = figure.as_mut()?;
            let good = (0.0..=0.25).contains(&seconds) && degrees.is_finite();
            Some(match good {
                // Some 50 microseconds.
                true => figure
                    .advance(seconds, degrees, label.as_deref())
                    .map_or_else(no_steering, |frame| Frame::Binary(packed(&frame, stamp))),
                false => no_steering(Failure::bad_request(
                    "expected 0 to 0.25 s and a direction in degrees",
                )),
            })
        }
        Said::End {} => {
            *figure = None;
            None
        }
    }
}

/// A frame of a steered figure, as a page gets it.
fn packed(frame: &LiveFrame, stamp: f64) -> Bytes {
    let head = MotionHead {
        stamp: Some(stamp),
        frames: 1,
        points: frame.points.len(),
        speed: Some(frame.speed),
        reaction: frame.reaction,
        ..MotionHead::default()
    };
    pack(&head, frame.points.as_flattened(), &[])
}
