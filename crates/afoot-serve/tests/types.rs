//! The page's types are made from the Rust ones: `web/src/api/generated.ts` says what these sources say.
//!
//! Fields come from the structs that serde reads and writes; what is said of them (words, unit, range) from their
//! comments, so that the page shows the same as the documentation. `AFOOT_WRITE=1 cargo test -p afoot-serve
//! --test types` writes the file anew.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use syn::{Attribute, Expr, Fields, Item, Lit, Meta, Type, Visibility};

/// Where types are defined that are said in JSON, below `crates`.
const SOURCES: [&str; 9] = [
    "afoot-serve/src/api.rs",
    "afoot/src/shown.rs",
    "afoot/src/failure.rs",
    "afoot/src/motion_files.rs",
    "afoot/src/embedded.rs",
    "afoot/src/contact_graph.rs",
    "afoot/src/requests",
    "afoot-library/src/graphs.rs",
    "afoot-library/src/clusters.rs",
];

#[derive(Default)]
struct Types {
    /// TypeScript of each type, by name.
    written: BTreeMap<String, String>,
    /// What is said of each field of each struct that can be asked with.
    fields: BTreeMap<String, Vec<Field>>,
    /// Types that are said as another one.
    transparent: BTreeMap<String, String>,
}

struct Field {
    name: String,
    kind: String,
    words: String,
}

#[test]
fn the_pages_types_are_those_of_the_sources() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    SOURCES
        .iter()
        .for_each(|source| collect(&crates.join(source), &mut files));
    files.sort();
    let mut types = Types::default();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        types.read(syn::parse_file(&text).unwrap());
    }
    let made = types.typescript();
    let kept = crates.join("../web/src/api/generated.ts");
    if std::env::var_os("AFOOT_WRITE").is_some() {
        std::fs::write(&kept, &made).unwrap();
    }
    let there = std::fs::read_to_string(&kept).unwrap_or_default();
    assert!(
        there == made,
        "{} is not current; see this test's header",
        kept.display()
    );
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match path.is_dir() {
        true => {
            for entry in std::fs::read_dir(path).unwrap() {
                collect(&entry.unwrap().path(), files);
            }
        }
        false => files.push(path.to_owned()),
    }
}

impl Types {
    fn read(&mut self, file: syn::File) {
        for item in file.items {
            match item {
                Item::Struct(item) if is_said(&item.attrs) && is_public(&item.vis) => {
                    self.read_struct(item)
                }
                Item::Enum(item) if is_said(&item.attrs) && is_public(&item.vis) => {
                    self.read_enum(item)
                }
                _ => {}
            }
        }
    }

    fn read_struct(&mut self, item: syn::ItemStruct) {
        let name = item.ident.to_string();
        let words = words(&item.attrs);
        if serde(&item.attrs, "transparent") {
            let inner = item.fields.iter().next().unwrap();
            self.transparent.insert(name, typescript(&inner.ty));
            return;
        }
        let Fields::Named(named) = &item.fields else {
            return;
        };
        let mut text = format!("/** {words} */\nexport interface {name} {{\n");
        let (mut fields, mut flat) = (Vec::new(), Vec::new());
        for field in &named.named {
            if !is_public(&field.vis) || serde(&field.attrs, "skip") {
                continue;
            }
            let kind = typescript(&field.ty);
            if serde(&field.attrs, "flatten") {
                flat.push(kind.replace(" | null", ""));
                continue;
            }
            let own = field.ident.as_ref().unwrap().to_string();
            let name = renamed(&field.attrs).unwrap_or(own);
            let words = self::words(&field.attrs);
            let open = if serde(&field.attrs, "skip_serializing_if") {
                "?"
            } else {
                ""
            };
            writeln!(text, "  /** {words} */\n  {name}{open}: {kind};").unwrap();
            fields.push(Field { name, kind, words });
        }
        text.push_str("}\n");
        if !flat.is_empty() {
            let extends = format!("export interface {name} extends {} {{", flat.join(", "));
            text = text.replace(&format!("export interface {name} {{"), &extends);
        }
        if derives(&item.attrs, "Deserialize") {
            self.fields.insert(name.clone(), fields);
        }
        self.written.insert(name, text);
    }

    fn read_enum(&mut self, item: syn::ItemEnum) {
        let name = item.ident.to_string();
        let case = value_of(&item.attrs, "rename_all").unwrap_or_default();
        let tag = value_of(&item.attrs, "tag");
        let untagged = serde(&item.attrs, "untagged");
        let variant = |variant: &syn::Variant| {
            let own = variant.ident.to_string();
            let word = renamed(&variant.attrs).unwrap_or_else(|| cased(&own, &case));
            let fields: Vec<String> = variant
                .fields
                .iter()
                .filter_map(|field| {
                    let ident = field.ident.as_ref()?;
                    Some(format!("{ident}: {}", typescript(&field.ty)))
                })
                .collect();
            match (&tag, variant.fields.is_empty()) {
                (Some(tag), _) => {
                    let said = [format!("{tag}: \"{word}\"")].into_iter().chain(fields);
                    format!("{{ {} }}", said.collect::<Vec<_>>().join("; "))
                }
                (None, true) if matches!(variant.fields, Fields::Unit) => format!("\"{word}\""),
                (None, _) => {
                    let inner = match &variant.fields {
                        Fields::Unnamed(one) if one.unnamed.len() == 1 => {
                            typescript(&one.unnamed[0].ty)
                        }
                        _ => format!("{{ {} }}", fields.join("; ")),
                    };
                    if untagged {
                        inner
                    } else {
                        format!("{{ {word}: {inner} }}")
                    }
                }
            }
        };
        let variants: Vec<String> = item.variants.iter().map(variant).collect();
        let words = words(&item.attrs);
        let text = format!(
            "/** {words} */\nexport type {name} =\n  | {};\n",
            variants.join("\n  | ")
        );
        self.written.insert(name, text);
    }

    fn typescript(&self) -> String {
        let mut text = String::from(
            "// Made from the Rust sources by crates/afoot-serve/tests/types.rs; not to be edited.\n\n",
        );
        let known =
            |word: &str| self.written.contains_key(word) || self.transparent.contains_key(word);
        for (name, inner) in &self.transparent {
            writeln!(text, "export type {name} = {};", plain(inner, &known)).unwrap();
        }
        for body in self.written.values() {
            writeln!(text, "\n{}", plain(body, &known).trim_end()).unwrap();
        }
        text.push_str(
            "\n/** What is said of an option: its words, its unit and range, and its type. */\n",
        );
        text.push_str("export interface OptionSaid {\n  words: string;\n  range: string;\n  kind: string;\n}\n\n");
        text.push_str("/** What is said of the options of every request. */\n");
        text.push_str("export const OPTIONS: Record<string, Record<string, OptionSaid>> = {\n");
        for (name, fields) in self.fields.iter().filter(|(_, fields)| !fields.is_empty()) {
            writeln!(text, "  {name}: {{").unwrap();
            for Field { name, kind, words } in fields {
                let (words, range) = split_range(words);
                writeln!(
                    text,
                    "    {name}: {{ words: {words:?}, range: {range:?}, kind: {kind:?} }},"
                )
                .unwrap();
            }
            text.push_str("  },\n");
        }
        text.push_str("};\n");
        text
    }
}

/// Types that are not said here are anything.
fn plain(text: &str, known: &impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let comment = line.trim_start().starts_with("/**");
        match comment {
            true => out.push_str(line),
            false => out.push_str(&known_only(line, known)),
        }
        out.push('\n');
    }
    out
}

fn known_only(line: &str, known: &impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let mut quoted = false;
    for letter in line.chars().chain(['\n']) {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        let type_like = word.starts_with(char::is_uppercase) && !quoted && word != "Record";
        match type_like && !known(&word) {
            true => out.push_str("unknown"),
            false => out.push_str(&word),
        }
        word.clear();
        quoted ^= letter == '"';
        out.push(letter);
    }
    out.trim_end_matches('\n')
        .replace("export type unknown", "export type")
}

/// The words of a comment, and what stands in its last brackets.
fn split_range(words: &str) -> (String, String) {
    match (words.rfind('['), words.ends_with(']')) {
        (Some(at), true) => (
            words[..at].trim().into(),
            words[at + 1..words.len() - 1].into(),
        ),
        _ => (words.into(), String::new()),
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether serde reads or writes it.
fn is_said(attributes: &[Attribute]) -> bool {
    derives(attributes, "Serialize") || derives(attributes, "Deserialize")
}

fn derives(attributes: &[Attribute], word: &str) -> bool {
    attributes.iter().any(|attribute| {
        let Meta::List(list) = &attribute.meta else {
            return false;
        };
        let words = list.tokens.to_string();
        list.path.is_ident("derive") && words.split([',', ' ']).any(|one| one.trim() == word)
    })
}

fn serde_words(attributes: &[Attribute]) -> String {
    let of = |attribute: &Attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("serde") => list.tokens.to_string(),
        _ => String::new(),
    };
    attributes.iter().map(of).collect::<Vec<_>>().join(" , ")
}

fn serde(attributes: &[Attribute], word: &str) -> bool {
    let said = serde_words(attributes);
    said.split([',', ' ', '=']).any(|part| part.trim() == word)
}

fn value_of(attributes: &[Attribute], key: &str) -> Option<String> {
    let said = serde_words(attributes);
    let part = said
        .split(',')
        .find(|part| part.trim_start().starts_with(&format!("{key} =")))?;
    Some(part.split('"').nth(1)?.to_owned())
}

fn renamed(attributes: &[Attribute]) -> Option<String> {
    value_of(attributes, "rename")
}

fn cased(word: &str, case: &str) -> String {
    match case {
        "lowercase" => word.to_lowercase(),
        "snake_case" | "kebab-case" => {
            let dash = if case == "snake_case" { '_' } else { '-' };
            let mut out = String::new();
            for (index, letter) in word.chars().enumerate() {
                if letter.is_uppercase() && index > 0 {
                    out.push(dash);
                }
                out.extend(letter.to_lowercase());
            }
            out
        }
        _ => word.into(),
    }
}

/// A comment as one line.
fn words(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| {
        let Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        let Expr::Lit(literal) = &pair.value else {
            return None;
        };
        match (&literal.lit, pair.path.is_ident("doc")) {
            (Lit::Str(text), true) => Some(text.value().trim().to_owned()),
            _ => None,
        }
    };
    attributes
        .iter()
        .filter_map(line)
        .collect::<Vec<_>>()
        .join(" ")
        .replace("*/", "")
}

fn typescript(kind: &Type) -> String {
    match kind {
        Type::Reference(inner) => typescript(&inner.elem),
        Type::Slice(inner) => list(typescript(&inner.elem)),
        Type::Array(inner) => list(typescript(&inner.elem)),
        Type::Tuple(tuple) => {
            let parts: Vec<String> = tuple.elems.iter().map(typescript).collect();
            format!("[{}]", parts.join(", "))
        }
        Type::Path(path) => {
            let last = path.path.segments.last().unwrap();
            let inner: Vec<String> = match &last.arguments {
                syn::PathArguments::AngleBracketed(inner) => inner
                    .args
                    .iter()
                    .filter_map(|argument| match argument {
                        syn::GenericArgument::Type(kind) => Some(typescript(kind)),
                        _ => None,
                    })
                    .collect(),
                _ => Vec::new(),
            };
            match (last.ident.to_string().as_str(), inner.as_slice()) {
                ("Option", [one]) => format!("{one} | null"),
                ("Vec" | "BTreeSet" | "VecDeque", [one]) => list(one.clone()),
                ("Box" | "Arc", [one]) => one.clone(),
                ("BTreeMap", [key, value]) => format!("Record<{key}, {value}>"),
                (
                    "f32" | "f64" | "u8" | "u16" | "u32" | "u64" | "usize" | "i32" | "i64"
                    | "FrameRate",
                    _,
                ) => "number".into(),
                ("bool", _) => "boolean".into(),
                ("String" | "str" | "FileName" | "PathBuf", _) => "string".into(),
                ("Value", _) => "unknown".into(),
                (other, _) => other.into(),
            }
        }
        _ => "unknown".into(),
    }
}

fn list(one: String) -> String {
    match one.contains('|') {
        true => format!("({one})[]"),
        false => format!("{one}[]"),
    }
}
