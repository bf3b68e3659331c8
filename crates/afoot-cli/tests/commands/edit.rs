//! `edit`.

use crate::support::with_walk;

#[test]
fn a_file_and_a_clip_are_changed_as_typed() {
    let bench = with_walk("edit");
    let told = bench.json("edit bvh/walk.bvh --trim 1..2.5 --to 0.3,3 --ease 0.4 -o there.bvh");
    assert_eq!(told["quality"]["frames"], 45);
    assert!(told["warped"]["moved_m"].as_f64().unwrap() > 0.1, "{told}");
    let told = bench.json("edit walk[0.5s..2.5s] --library lib.afoot --turn 90 -o turned.glb");
    assert_eq!(told["quality"]["frames"], 60);
    assert_eq!(told["sources"][0]["clip"], "walk");
    assert_eq!(told["sources"][0]["from"], 0.5);
    bench.json("edit bvh/walk.bvh --move 0.1,0 --at 1.5 --key LeftArm,2,0,0,40 -o keyed.bvh");
    assert!(bench.path("keyed.bvh").exists());
    let told = bench.json("edit bvh/walk.bvh --trim 0..3 --backwards --time 1:2 -o late.bvh");
    assert_eq!(told["quality"]["frames"], 120);
}

#[test]
fn what_can_not_be_done_is_refused_by_name() {
    let bench = with_walk("edit-refused");
    let refused = [
        ("--trim 3..1", "--trim 3..1"),
        ("--trim all", "FROM..TO"),
        ("--time 1", "S:T"),
        ("--time 99:1", "99"),
        ("--to 1", "X,Z or X,Z,DEGREES"),
        ("--key Tail,1,0,0,9", "Tail"),
        ("--key LeftArm", "JOINT,SECONDS,RX,RY,RZ"),
        ("--seam 99", "99"),
        ("--ease 0 --seam 1", "--ease 0"),
        ("--at 1", "--move"),
    ];
    for (options, expected) in refused {
        let message = bench.fails(1, &format!("edit bvh/walk.bvh {options} -o no.bvh"));
        assert!(message.contains(expected), "{options}: {message}");
        assert!(!bench.path("no.bvh").exists());
    }
}
