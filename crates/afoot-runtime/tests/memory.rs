//! Steering asks for no memory, whatever is wished for.
#![allow(missing_docs, clippy::unwrap_used)]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use afoot_core::Planar;
use afoot_runtime::Pack;
use support::Source;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: all is left to the system's allocator; a counter is raised beside it.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ASKED.try_with(|asked| asked.set(asked.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn advancing_asks_for_no_memory() {
    let source = Source::of(&["walk", "walk_turn_left", "walk_turn_right", "run"]);
    let pack = Pack::open(source.baked(0.5).bytes).unwrap();
    let words = pack.words().to_vec();
    let mut heroes: Vec<_> = (0..3)
        .map(|variant| pack.character(Planar::IDENTITY, variant).unwrap())
        .collect();
    let mut moved = 0;
    for hero in &mut heroes {
        hero.advance(0.0, 0.0, None).unwrap();
        hero.points();
    }
    let before = ASKED.get();
    for frame in 0..60 * 120u64 {
        // A new direction every 0.7 s, now and then another word.
        let turn = frame / 42;
        let direction = (turn * 7919 % 628) as f64 / 100.0;
        let word = (turn % 3 == 1).then(|| words[turn as usize % words.len()].as_str());
        for hero in &mut heroes {
            let from = hero.pose().root;
            hero.advance(1.0 / 60.0, direction, word).unwrap();
            moved += usize::from(hero.points()[0] != from);
        }
    }
    assert_eq!(
        ASKED.get() - before,
        0,
        "allocations in 120 s of 3 characters"
    );
    assert!(moved > 10_000, "{moved} frames moved");
}
