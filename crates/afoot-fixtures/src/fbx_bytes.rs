//! FBX files of ours, changed in place to be as other programs write them.

/// The file with another stop time in its takes. [s]
pub fn with_span(fbx: &[u8], seconds: f64) -> Vec<u8> {
    let mut bytes = fbx.to_vec();
    let at = values_of(&bytes, "LocalStop", 0).unwrap();
    let ticks = (seconds * 46_186_158_000.0).round() as i64;
    bytes[at + 1..at + 9].copy_from_slice(&ticks.to_le_bytes());
    bytes
}

/// The file with a joint scaled, and every node taking over scale as `inherit_type` says.
pub fn with_scaled_joint(fbx: &[u8], joint: &str, scale: f64, inherit_type: i32) -> Vec<u8> {
    let mut bytes = fbx.to_vec();
    let name = format!("{joint}\0\u{1}Model");
    let mut windows = bytes.windows(name.len());
    let model = windows
        .position(|window| window == name.as_bytes())
        .unwrap();
    let at = values_of(&bytes, "Lcl Scaling", model).unwrap();
    for axis in 0..3 {
        bytes[at + 9 * axis + 1..][..8].copy_from_slice(&scale.to_le_bytes());
    }
    let mut from = 0;
    while let Some(at) = values_of(&bytes, "InheritType", from) {
        bytes[at + 1..at + 5].copy_from_slice(&inherit_type.to_le_bytes());
        from = at;
    }
    bytes
}

/// Where the values of a property stand, the first time it is named after `from`.
fn values_of(bytes: &[u8], name: &str, from: usize) -> Option<usize> {
    let mut windows = bytes[from..].windows(name.len());
    let at = windows.position(|window| window == name.as_bytes())?;
    let mut at = from + at + name.len();
    while bytes[at] == b'S' {
        at += 5 + u32::from_le_bytes(bytes[at + 1..at + 5].try_into().unwrap()) as usize;
    }
    Some(at)
}
