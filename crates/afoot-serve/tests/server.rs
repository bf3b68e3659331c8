//! The server from outside, over a socket: what it answers, what it refuses, and that nothing brings it down.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use afoot::{Cancel, Failure, Import, Run, WriteSamples};
use afoot_fixtures::Folder;
use afoot_serve::{ServeOptions, serve};
use serde_json::{Value, json};

/// A server with a small library, stopped when it is dropped.
struct Served {
    folder: Folder,
    host: String,
    token: Option<String>,
    cancel: Cancel,
    thread: Option<JoinHandle<Result<(), Failure>>>,
}

struct Answer {
    status: u16,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Served {
    fn start() -> Self {
        Self::with(|_| {})
    }

    fn with(change: impl FnOnce(&mut ServeOptions)) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let folder = Folder::new(&format!("served-{}", COUNT.fetch_add(1, Ordering::Relaxed)));
        let clips = folder.path().join("clips");
        let only = ["walk", "walk_turn_left"].map(String::from).to_vec();
        WriteSamples { only }.run(&clips, &Run::quiet()).unwrap();
        let import = Import {
            paths: vec![clips.into()],
            ..Import::default()
        };
        let library = folder.path().join("walks.afoot");
        import.run_into(&library, &Run::quiet()).unwrap();
        let mut options = ServeOptions {
            port: 0,
            ..ServeOptions::of(library)
        };
        change(&mut options);
        let token = options.token.clone();
        let (cancel, (ready, heard)) = (Cancel::default(), mpsc::channel());
        let run = Run::quiet().with_cancel(cancel.clone());
        let thread =
            std::thread::spawn(move || serve(options, &run, |url| ready.send(url).unwrap()));
        let url = heard.recv_timeout(Duration::from_secs(20)).unwrap();
        let host = url
            .trim_start_matches("http://")
            .split('/')
            .next()
            .unwrap()
            .to_owned();
        Self {
            folder,
            host,
            token,
            cancel,
            thread: Some(thread),
        }
    }

    fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        // A server that refuses early need not read to the end.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap_or_else(|| panic!("no answer"));
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer {
            status,
            body: bytes[end + 4..].to_vec(),
        }
    }

    fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
            self.host,
            body.len()
        );
        self.raw(&[head.as_bytes(), body].concat())
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", b"")
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        let body = body.to_string();
        self.ask(
            "POST",
            path,
            "Content-Type: application/json\r\n",
            body.as_bytes(),
        )
    }

    /// Asks, and waits until the job has ended.
    fn job(&self, request: Value) -> Value {
        let begun = self.post("/api/jobs", &request).json();
        self.ended(begun["job"].as_u64().unwrap_or_else(|| panic!("{begun}")))
    }

    fn ended(&self, id: u64) -> Value {
        let begun = Instant::now();
        loop {
            let job = self.get(&format!("/api/jobs/{id}")).json();
            if job["state"] == "done" || job["state"] == "failed" {
                return job;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{job}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn clips(&self) -> Vec<String> {
        let listed = self.get("/api/clips").json();
        let clips = listed["clips"].as_array().unwrap().iter();
        clips
            .map(|clip| clip["name"].as_str().unwrap().to_owned())
            .collect()
    }

    fn upload(&self, name: &str, body: &[u8]) -> Answer {
        self.ask("PUT", &format!("/api/uploads/{name}"), "", body)
    }

    fn bvh(&self) -> Vec<u8> {
        std::fs::read(self.folder.path().join("clips/walk.bvh")).unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.cancel.stop();
        let ended = self.thread.take().unwrap().join();
        if !std::thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}

#[test]
fn clips_are_listed_shown_and_played() {
    let served = Served::start();
    assert_eq!(served.clips(), ["walk", "walk_turn_left"]);
    let session = served.get("/api/session").json();
    assert_eq!(session["library"], "walks.afoot");
    let shown = served.get("/api/clip?clip=walk").json();
    assert_eq!(shown["name"], "walk");
    assert!(
        shown["type_spans"]
            .as_array()
            .unwrap()
            .iter()
            .any(|span| span["label"] == "walk")
    );
    let motion = served.get("/api/motion?clip=walk").body;
    let length = u32::from_le_bytes(motion[..4].try_into().unwrap()) as usize;
    let head: Value = serde_json::from_slice(&motion[4..4 + length]).unwrap();
    let (frames, points) = (
        head["frames"].as_u64().unwrap(),
        head["points"].as_u64().unwrap(),
    );
    assert_eq!(shown["frames"], frames);
    assert_eq!(
        motion.len() as u64,
        4 + length as u64 + frames * (12 * points + 1)
    );
    assert_eq!(
        head["body"]["names"].as_array().unwrap().len() as u64,
        points
    );
    let few = served.get("/api/motion?clip=walk&count=5").body;
    assert!(few.len() < motion.len() / 3);
    assert_eq!(served.get("/api/clip?clip=nobody").status, 404);
}

#[test]
fn a_request_becomes_a_job_with_motion_a_verdict_and_files() {
    let served = Served::start();
    let graph = served.job(json!({"ask": "build_graph", "recipe": {"threshold_cm": 12.0}}));
    assert_eq!(graph["state"], "done", "{graph}");
    let path = json!({"points": [[0, 0], [0, 2.5]]});
    let job = served.job(json!({"ask": "follow", "path": path}));
    assert_eq!(job["state"], "done", "{job}");
    assert!(job["report"]["quality"]["path_mean_m"].as_f64().unwrap() < 0.5);
    assert!(job["frames"].as_u64().unwrap() > 30);
    let id = job["id"].as_u64().unwrap();
    assert!(served.get(&format!("/api/jobs/{id}/motion")).body.len() > 10_000);
    for (format, begins) in [("glb", "glTF"), ("bvh", "HIERARCHY"), ("asf", "#")] {
        let file = served.get(&format!("/api/export?job={id}&format={format}"));
        assert_eq!(file.status, 200, "{}", file.text());
        assert!(
            file.body.starts_with(begins.as_bytes()) || format == "asf",
            "{format}"
        );
    }
    assert_eq!(
        served
            .get(&format!("/api/jobs/{id}/files/motion.glb"))
            .status,
        200
    );
    let kept = served
        .post(&format!("/api/jobs/{id}/keep"), &json!({"name": "along"}))
        .json();
    assert_eq!(served.ended(kept["job"].as_u64().unwrap())["state"], "done");
    assert!(served.clips().contains(&"along".into()));
}

#[test]
fn what_fails_says_why_and_what_would_help() {
    let served = Served::start();
    let unknown = served.post("/api/jobs", &json!({"ask": "wander", "second": 9}));
    assert_eq!(unknown.status, 400);
    assert!(
        unknown.json()["message"]
            .as_str()
            .unwrap()
            .contains("did you mean"),
        "{}",
        unknown.text()
    );
    let job = served.job(json!({"ask": "rename", "clip": "nobody", "name": "x"}));
    assert_eq!(job["state"], "failed");
    assert!(
        job["failure"]["message"]
            .as_str()
            .unwrap()
            .contains("nobody"),
        "{job}"
    );
}

#[test]
fn changes_can_be_undone_and_done_again() {
    let served = Served::start();
    assert_eq!(served.post("/api/undo", &json!({})).status, 400);
    served.job(json!({"ask": "remove", "clips": ["walk"]}));
    assert_eq!(served.clips(), ["walk_turn_left"]);
    served.job(json!({"ask": "rename", "clip": "walk_turn_left", "name": "left"}));
    assert_eq!(served.clips(), ["left"]);
    let history = served.post("/api/undo", &json!({})).json();
    assert_eq!(served.clips(), ["walk_turn_left"]);
    assert_eq!(history["undo"], json!(["remove"]));
    assert_eq!(history["redo"], json!(["rename"]));
    served.post("/api/undo", &json!({}));
    assert_eq!(served.clips(), ["walk", "walk_turn_left"]);
    served.post("/api/redo", &json!({}));
    assert_eq!(served.clips(), ["walk_turn_left"]);
}

#[test]
fn a_job_stays_with_the_library_that_it_was_asked_of() {
    let served = Served::with(|options| options.at_work = 1);
    let graph = json!({"ask": "build_graph", "recipe": {"threshold_cm": 12.0}});
    assert_eq!(served.job(graph)["state"], "done");
    let before = served.post("/api/jobs", &json!({"ask": "wander", "seconds": 60}));
    let waits = json!({"ask": "remove", "clips": ["walk_turn_left"]});
    let waits = served.post("/api/jobs", &waits).json();
    let other = json!({"library": "other.afoot", "create": true});
    assert_eq!(served.post("/api/open", &other).status, 200);
    served.ended(before.json()["job"].as_u64().unwrap());
    let removed = served.ended(waits["job"].as_u64().unwrap());
    assert_eq!(removed["state"], "done", "{removed}");
    // Nothing was done to the one that is open, so there is nothing to undo.
    assert_eq!(served.post("/api/undo", &json!({})).status, 400);
    assert!(served.clips().is_empty());
    served.post("/api/open", &json!({"library": "walks.afoot"}));
    assert_eq!(served.clips(), ["walk"]);
}

#[test]
fn an_undo_that_fails_can_be_tried_again() {
    let served = Served::start();
    served.job(json!({"ask": "remove", "clips": ["walk"]}));
    let library = served.folder.path().join("walks.afoot");
    let aside = served.folder.path().join("aside");
    std::fs::rename(&library, &aside).unwrap();
    std::fs::create_dir(&library).unwrap();
    let failed = served.post("/api/undo", &json!({}));
    assert!(failed.status >= 400, "{}", failed.text());
    std::fs::remove_dir(&library).unwrap();
    std::fs::rename(&aside, &library).unwrap();
    let undone = served.post("/api/undo", &json!({}));
    assert_eq!(undone.status, 200, "{}", undone.text());
    assert_eq!(served.clips(), ["walk", "walk_turn_left"]);
}

#[test]
fn uploads_side_by_side_share_what_may_be_uploaded() {
    let most = 1_usize << 20;
    let served = Served::with(|options| options.largest_upload = most as u64);
    let begin = |index| {
        let head = format!(
            "PUT /api/uploads/{index}.bvh HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {most}\r\n\r\n",
            served.host
        );
        let mut stream = TcpStream::connect(&served.host).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    let streams: Vec<TcpStream> = (0..5).map(begin).collect();
    std::thread::sleep(Duration::from_millis(300)); // until all have been let in
    let statuses = streams.into_iter().map(|mut stream| {
        let _ = stream.write_all(&vec![b'x'; most]);
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer.split(' ').nth(1).unwrap_or("broken off").to_owned()
    });
    let taken = statuses.filter(|status| status == "200").count();
    assert_eq!(taken, 4);
    assert_eq!(served.upload("more.bvh", b"x").status, 413);
    // What is cleared makes room, and one of the same name takes the place of another.
    assert_eq!(served.ask("DELETE", "/api/uploads", "", b"").status, 200);
    for _ in 0..6 {
        assert_eq!(served.upload("again.bvh", &vec![b'x'; most]).status, 200);
    }
}

#[test]
fn who_falls_silent_in_the_middle_keeps_nobody_waiting_for_ever() {
    let served = Served::with(|options| options.connections = 2);
    let begin = |path: &str| {
        let mut stream = TcpStream::connect(&served.host).unwrap();
        let head = format!(
            "{path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\nabc",
            served.host
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    let silent = [begin("PUT /api/uploads/slow.bvh"), begin("POST /api/jobs")];
    assert_eq!(served.get("/api/session").status, 200);
    drop(silent);
}

#[test]
fn files_are_uploaded_and_imported() {
    let served = Served::start();
    let uploaded = served.upload("mine.bvh", &served.bvh()).json();
    assert_eq!(uploaded["file"], "uploads/mine.bvh");
    let job = served.job(json!({"ask": "import", "paths": [uploaded["file"]]}));
    assert_eq!(job["report"]["clips"][0]["name"], "mine", "{job}");
    assert!(served.clips().contains(&"mine".into()));
}

#[test]
fn no_name_leads_out_of_the_folders() {
    let served = Served::start();
    let secret = served.folder.path().join("secret.bvh");
    std::fs::write(&secret, served.bvh()).unwrap();
    let names = [
        "../secret.bvh".to_owned(),
        "uploads/../../secret.bvh".into(),
        secret.display().to_string(),
        "/etc/passwd".into(),
    ];
    for name in names {
        let job = served.job(json!({"ask": "import", "paths": [name]}));
        let failed =
            job["state"] == "failed" || !job["report"]["failed"].as_array().unwrap().is_empty();
        assert!(failed, "{job}");
        let job = served.job(json!({"ask": "follow", "path": name}));
        assert_eq!(job["state"], "failed", "{job}");
    }
    for path in [
        "/../walks.afoot",
        "/assets/../../Cargo.toml",
        "/%2e%2e/walks.afoot",
        "//etc/passwd",
    ] {
        assert_eq!(served.get(path).status, 404, "{path}");
    }
    for path in [
        "..%2Fup.bvh",
        "%2Fetc%2Fpasswd",
        ".hidden",
        "a%5Cb.bvh",
        "..",
        "%00",
    ] {
        assert!(served.upload(path, b"x").status >= 400, "{path}");
    }
    let job = served.job(json!({"ask": "matrix", "a": "walk", "b": "walk"}));
    let id = job["id"].as_u64().unwrap();
    assert_eq!(
        served
            .get(&format!("/api/jobs/{id}/files/result.png"))
            .status,
        200
    );
    assert_eq!(
        served
            .get(&format!("/api/jobs/{id}/files/..%2F..%2Fwalks.afoot"))
            .status,
        404
    );
    for library in ["../walks.afoot", "/tmp/x.afoot", "passwd"] {
        let opened = served.post("/api/open", &json!({"library": library, "create": true}));
        assert_eq!(opened.status, 400, "{library}");
    }
    assert_eq!(served.clips().len(), 2);
}

#[test]
fn huge_uploads_are_refused_before_they_are_read() {
    let served = Served::with(|options| options.largest_upload = 1 << 20);
    let head = format!(
        "PUT /api/uploads/big.bvh HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: 10737418240\r\n\r\n",
        served.host
    );
    assert_eq!(served.raw(head.as_bytes()).status, 413);
    // Without a length, as soon as it is too much.
    let mut chunked = format!(
        "PUT /api/uploads/big.bvh HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
        served.host
    )
    .into_bytes();
    for _ in 0..3 {
        chunked.extend(format!("{:x}\r\n", 1 << 19).bytes());
        chunked.extend(vec![b'x'; 1 << 19]);
        chunked.extend(b"\r\n");
    }
    assert_eq!(served.raw(&chunked).status, 413);
    let large = vec![b' '; 5 << 20];
    let answer = served.ask(
        "POST",
        "/api/jobs",
        "Content-Type: application/json\r\n",
        &large,
    );
    assert_eq!(answer.status, 413);
    assert_eq!(served.clips().len(), 2);
}

#[test]
fn malformed_json_is_refused() {
    let served = Served::start();
    let deep = "[".repeat(100_000);
    let broken = [
        "",
        "{",
        "null",
        "[]",
        "{\"ask\": 7}",
        "{\"ask\":\"follow\"",
        "\u{0}",
        &deep,
    ];
    for body in broken {
        let answer = served.ask(
            "POST",
            "/api/jobs",
            "Content-Type: application/json\r\n",
            body.as_bytes(),
        );
        assert!(
            (400..500).contains(&answer.status),
            "{body:.20}: {}",
            answer.status
        );
    }
    let plain = served.ask(
        "POST",
        "/api/jobs",
        "Content-Type: text/plain\r\n",
        b"{\"ask\":\"list\"}",
    );
    assert_eq!(plain.status, 415);
}

#[test]
fn other_sites_pages_are_refused() {
    let served = Served::start();
    let port = served.host.rsplit(':').next().unwrap();
    let own = format!("Origin: http://{}\r\n", served.host);
    assert_eq!(served.ask("GET", "/api/clips", &own, b"").status, 200);
    for origin in [
        "http://evil.example",
        "null",
        &format!("http://localhost.evil.example:{port}"),
        "https://127.0.0.1",
    ] {
        let headers = format!("Origin: {origin}\r\n");
        assert_eq!(
            served.ask("GET", "/api/clips", &headers, b"").status,
            403,
            "{origin}"
        );
        let socket = format!(
            "{headers}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        );
        assert_eq!(
            served.ask("GET", "/api/socket", &socket, b"").status,
            403,
            "{origin}"
        );
    }
    let cross = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n";
    assert_eq!(served.ask("GET", "/api/clips", cross, b"").status, 403);
    // A name of another's that was made to lead here.
    let rebound = format!(
        "GET /api/clips HTTP/1.1\r\nHost: evil.example:{port}\r\nConnection: close\r\n\r\n"
    );
    assert_eq!(served.raw(rebound.as_bytes()).status, 403);
}

#[test]
fn others_need_the_token() {
    let refused = ServeOptions {
        address: "0.0.0.0".parse().unwrap(),
        port: 0,
        ..ServeOptions::of("nowhere.afoot")
    };
    let failure = serve(refused, &Run::quiet(), |_| {}).unwrap_err();
    assert!(failure.to_string().contains("token"), "{failure}");
    let served = Served::with(|options| {
        options.token = Some("correct-horse".into());
    });
    assert_eq!(served.token.as_deref(), Some("correct-horse"));
    assert_eq!(served.get("/api/clips").status, 401);
    assert_eq!(served.get("/api/clips?token=correct-horsf").status, 401);
    let bearer = "Authorization: Bearer correct-horse\r\n";
    assert_eq!(served.ask("GET", "/api/clips", bearer, b"").status, 200);
    let cookie = "Cookie: other=1; afoot_token=correct-horse\r\n";
    assert_eq!(served.ask("GET", "/api/clips", cookie, b"").status, 200);
    assert_eq!(served.get("/?token=correct-horse").status, 200);
}

#[test]
fn a_thousand_connections_are_served_or_wait() {
    let served = Served::with(|options| options.connections = 64);
    let idle: Vec<TcpStream> = (0..40)
        .map(|_| TcpStream::connect(&served.host).unwrap())
        .collect();
    let mut open = Vec::new();
    for _ in 0..1000 {
        let mut stream = TcpStream::connect(&served.host).unwrap();
        let request = format!(
            "GET /api/session HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            served.host
        );
        stream.write_all(request.as_bytes()).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        open.push(stream);
    }
    for mut stream in open {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    }
    drop(idle);
    assert_eq!(served.get("/api/session").status, 200);
}

#[test]
fn more_jobs_than_can_wait_are_refused_and_waiting_ones_can_be_stopped() {
    let served = Served::with(|options| options.at_work = 1);
    let mut begun = Vec::new();
    let refused = (0..60).find_map(|_| {
        let answer = served.post("/api/jobs", &json!({"ask": "build_graph", "rebuild": true}));
        match answer.status {
            200 => begun.push(answer.json()["job"].as_u64().unwrap()),
            other => return Some(other),
        }
        None
    });
    assert_eq!(refused, Some(429));
    for id in &begun {
        served.post(&format!("/api/jobs/{id}/stop"), &json!({}));
    }
    let last = served.ended(*begun.last().unwrap());
    assert_eq!(last["failure"]["kind"], "cancelled", "{last}");
}

#[test]
fn a_stopped_server_leaves_nothing_behind() {
    let served = Served::start();
    served.upload("left-behind.bvh", &served.bvh());
    let kept = scratch_folders()
        .into_iter()
        .find(|folder| folder.join("uploads/left-behind.bvh").exists());
    let kept = kept.unwrap();
    drop(served);
    assert!(!kept.exists(), "{}", kept.display());
}

fn scratch_folders() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let named = entries.filter(|entry| {
        entry
            .file_name()
            .to_string_lossy()
            .starts_with("afoot-serve-")
    });
    named.map(|entry| entry.path()).collect()
}
