//! The afoot command.
fn main() {}
