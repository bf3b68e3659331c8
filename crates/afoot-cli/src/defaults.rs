//! Defaults of options as they are typed, so that each stands once, in its request.

use serde::Serialize;

/// A word of a request, or words with commas between them. It lives as long as the program does: help and parser
/// show it.
pub fn typed(value: impl Serialize) -> &'static str {
    let value = serde_json::to_value(value).expect("words of requests are data");
    let text = match &value {
        serde_json::Value::String(word) => word.clone(),
        serde_json::Value::Array(words) => {
            let words = words.iter().filter_map(serde_json::Value::as_str);
            words.collect::<Vec<_>>().join(",")
        }
        other => other.to_string(),
    };
    text.replace('_', "-").leak()
}
