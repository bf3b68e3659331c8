//! Takes a glTF file apart: the JSON document and its binary buffers.
//!
//! `.glb` carries its first buffer in itself; `.gltf` names buffers as data URIs or as files beside
//! it, which the caller fetches (this module opens nothing).

use super::document::Document;
use crate::error::{FormatError, Problem};
use crate::scene::expected;

/// A document with its buffers' bytes, in the order of the document.
pub struct Container {
    pub document: Document,
    pub buffers: Vec<Vec<u8>>,
}

/// Fetches the bytes of a buffer that lies in a file beside the glTF file.
pub type Fetch<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// The largest document that is looked at; more is no skeleton's motion. [bytes]
const LARGEST: usize = 1 << 31;

/// Takes the bytes of a `.glb` or `.gltf` file apart.
pub fn open_container(bytes: &[u8], fetch: Fetch) -> Result<Container, FormatError> {
    if bytes.len() > LARGEST {
        return Err(expected(
            "a file of at most 2 GiB",
            format!("{} bytes", bytes.len()),
        ));
    }
    let (json, mut embedded) = match bytes.starts_with(b"glTF") {
        true => split_chunks(bytes)?,
        false => (bytes, None),
    };
    let document: Document = serde_json::from_slice(json).map_err(|error| {
        if let Some(version) = older_version(json) {
            return expected("a glTF document of version 2", format!("version {version}"));
        }
        FormatError {
            path: None,
            place: Some(crate::error::Place {
                line: error.line() as u64,
                column: error.column() as u64,
            }),
            problem: Problem::Expected {
                expected: "a glTF document".into(),
                found: error.to_string(),
            },
        }
    })?;
    check_version(&document)?;
    let mut buffers = Vec::new();
    for (index, buffer) in document.buffers.iter().enumerate() {
        let content = match &buffer.uri {
            None => embedded.take().map(<[u8]>::to_vec).ok_or_else(|| {
                expected(
                    "binary data in the file",
                    format!("none for buffer {index}"),
                )
            })?,
            Some(uri) => read_uri(uri, fetch)?,
        };
        if content.len() < buffer.byte_length {
            let wanted = format!("{} bytes in buffer {index}", buffer.byte_length);
            return Err(expected(
                &wanted,
                format!("{} (the file is cut off)", content.len()),
            ));
        }
        buffers.push(content);
    }
    Ok(Container { document, buffers })
}

/// The version that a document of the first glTF says it has; its lists are objects, so it is no `Document`.
fn older_version(json: &[u8]) -> Option<String> {
    let document: serde_json::Value = serde_json::from_slice(json).ok()?;
    let said = document.pointer("/asset/version");
    let version = said.map_or("1".into(), |said| said.to_string().replace('"', ""));
    let lists = ["nodes", "meshes", "accessors"];
    let named = lists.iter().any(|list| document[*list].is_object());
    (named && version.starts_with('1')).then_some(version)
}

/// The JSON of a `.glb` file as it stands there, all that this crate does not know included.
pub fn whole_json(bytes: &[u8]) -> Result<serde_json::Value, FormatError> {
    if !bytes.starts_with(b"glTF") {
        return Err(expected("a .glb file", "another".into()));
    }
    let (json, _) = split_chunks(bytes)?;
    serde_json::from_slice(json).map_err(|error| expected("a glTF document", error.to_string()))
}

/// JSON and binary chunk of a `.glb` file.
fn split_chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), FormatError> {
    let number = |at: usize| -> Option<usize> {
        let four: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(u32::from_le_bytes(four) as usize)
    };
    if number(4) != Some(2) {
        let found = number(4).map_or("the end of the file".into(), |version| version.to_string());
        return Err(expected("version 2 of the binary container", found));
    }
    let (mut json, mut binary) = (None, None);
    let mut at = 12;
    while let (Some(length), Some(kind)) = (number(at), number(at + 4)) {
        let content = bytes
            .get(at + 8..)
            .and_then(|rest| rest.get(..length))
            .ok_or_else(|| {
                expected(
                    &format!("a chunk of {length} bytes"),
                    "the end of the file: it is cut off".into(),
                )
            })?;
        match kind {
            0x4E4F_534A if json.is_none() => json = Some(content),
            0x004E_4942 if binary.is_none() => binary = Some(content),
            _ => {}
        }
        at += 8 + length.next_multiple_of(4);
    }
    let json = json.ok_or_else(|| expected("a JSON chunk", "none".into()))?;
    Ok((json, binary))
}

fn check_version(document: &Document) -> Result<(), FormatError> {
    if !document.asset.version.starts_with("2.") {
        let found = format!("{:?}", document.asset.version);
        return Err(expected("glTF version 2", found));
    }
    match document.extensions_required.first() {
        None => Ok(()),
        Some(name) => {
            let harmless = [
                "KHR_materials",
                "KHR_texture",
                "KHR_lights",
                "EXT_texture",
                "KHR_mesh",
            ];
            if harmless.iter().any(|start| name.starts_with(start)) {
                return Ok(());
            }
            let words = format!("the file needs the glTF extension {name}, which is not read here");
            Err(FormatError::new(Problem::Unsupported(words)))
        }
    }
}

fn read_uri(uri: &str, fetch: Fetch) -> Result<Vec<u8>, FormatError> {
    let failed = |words: String| FormatError::new(Problem::Files(words));
    let Some(data) = uri.strip_prefix("data:") else {
        return fetch(uri).map_err(|error| failed(format!("buffer {uri:?}: {error}")));
    };
    let (_, encoded) = data
        .split_once(";base64,")
        .ok_or_else(|| expected("a base64 data URI", "another encoding".into()))?;
    decode_base64(encoded.as_bytes())
        .ok_or_else(|| expected("base64 data", "other characters".into()))
}

/// Standard base64, with or without padding.
fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text
        .strip_suffix(b"==")
        .or(text.strip_suffix(b"="))
        .unwrap_or(text);
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut bits = 0u32;
        for &byte in group {
            let value = match byte {
                b'A'..=b'Z' => byte - b'A',
                b'a'..=b'z' => byte - b'a' + 26,
                b'0'..=b'9' => byte - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        bits <<= 6 * (4 - group.len());
        let bytes = bits.to_be_bytes();
        out.extend_from_slice(&bytes[1..group.len()]);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::decode_base64;

    #[test]
    fn base64_with_any_padding() {
        for (text, bytes) in [
            ("", ""),
            ("TQ==", "M"),
            ("TWE=", "Ma"),
            ("TWFu", "Man"),
            ("TWE", "Ma"),
        ] {
            assert_eq!(
                decode_base64(text.as_bytes()).unwrap(),
                bytes.as_bytes(),
                "{text}"
            );
        }
        assert_eq!(decode_base64(b"T*=="), None);
    }
}
