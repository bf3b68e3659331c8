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

/// Where further types are defined that requests hold, of which the page knows nothing.
const HELD: [&str; 3] = [
    "afoot-library/src/graph_recipe.rs",
    "afoot-synth/src/svg.rs",
    "afoot-synth/src/follow/search.rs",
];

/// Types that hold no numbers, or whose numbers are checked by who reads the file that they are of.
const CHECKED_ELSEWHERE: [&str; 6] = [
    "Input",
    "Evenness",
    "Stand",
    "Program",
    "Connect",
    "EditShape",
];

#[derive(Default)]
struct Types {
    /// TypeScript of each type, by name.
    written: BTreeMap<String, String>,
    /// What is said of each field of each struct that can be asked with.
    fields: BTreeMap<String, Vec<Field>>,
    /// Types that are said as another one.
    transparent: BTreeMap<String, String>,
    /// What the variants of each enum hold: the word that they are said with, if any, and fields.
    variants: BTreeMap<String, Vec<(Option<String>, Field)>>,
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

#[test]
fn every_number_that_can_be_asked_with_has_a_range_and_the_table_of_ranges_is_current() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    let sources = SOURCES.iter().chain(&HELD);
    sources.for_each(|source| collect(&crates.join(source), &mut files));
    let mut types = Types::default();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        types.read(syn::parse_file(&text).unwrap());
    }
    let mut rows = String::new();
    for name in requests(&crates) {
        types.rows(&name, &name, &mut rows);
    }
    let made = format!("{TABLE_HEAD}{rows}];\n");
    let kept = crates.join("afoot/src/ranges/table.rs");
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

const TABLE_HEAD: &str = "\
//! Made from comments by crates/afoot-serve/tests/types.rs; not to be edited.

/// A number that can be asked with.
pub(super) struct OptionRange {
    /// The request's type and its fields, with dots between them.
    pub path: &'static str,
    /// Unit and range.
    pub said: &'static str,
    /// It may be left open.
    pub open: bool,
}

const fn range(path: &'static str, said: &'static str, open: bool) -> OptionRange {
    OptionRange { path, said, open }
}

#[rustfmt::skip]
pub(super) const RANGES: &[OptionRange] = &[
";

/// The names of all requests, as the door lists them.
fn requests(crates: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(crates.join("afoot/src/requests/request.rs")).unwrap();
    let list = text.split("\nrequests!(").nth(1).unwrap();
    let names = list.split(')').next().unwrap().split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(String::from)
        .collect()
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
        for variant in &item.variants {
            let own = variant.ident.to_string();
            let word = renamed(&variant.attrs).unwrap_or_else(|| cased(&own, &case));
            for field in &variant.fields {
                let (name, attributes) = match &field.ident {
                    Some(ident) => (ident.to_string(), &field.attrs),
                    None => (String::new(), &variant.attrs),
                };
                let held = Field {
                    name,
                    kind: typescript(&field.ty),
                    words: words(attributes),
                };
                let word = (!untagged).then(|| word.clone());
                let known = self.variants.entry(item.ident.to_string());
                known.or_default().push((word, held));
            }
            self.variants.entry(item.ident.to_string()).or_default();
        }
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

    /// The numbers that lie in a type, a row each.
    fn rows(&self, path: &str, kind: &str, rows: &mut String) {
        if let Some(inner) = self.transparent.get(kind) {
            return self.rows(path, inner, rows);
        }
        for (word, field) in self.variants.get(kind).into_iter().flatten() {
            let named = Some(field.name.clone()).filter(|name| !name.is_empty());
            let parts = [Some(path.to_owned()), word.clone(), named];
            let path: Vec<String> = parts.into_iter().flatten().collect();
            self.row(&path.join("."), field, true, rows);
        }
        for field in self.fields.get(kind).into_iter().flatten() {
            self.row(&format!("{path}.{}", field.name), field, false, rows);
        }
    }

    fn row(&self, path: &str, field: &Field, of_variant: bool, rows: &mut String) {
        let Field { kind, words, .. } = field;
        let parts = kind.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let named: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        if named.contains(&"number") {
            let (_, said) = split_range(words);
            assert!(!said.is_empty(), "{path}: {words:?} says no range");
            let open = of_variant || kind.contains("null");
            writeln!(rows, "    range({path:?}, {said:?}, {open}),").unwrap();
            return;
        }
        for name in named
            .into_iter()
            .filter(|name| name.starts_with(char::is_uppercase))
        {
            let known = self.fields.contains_key(name)
                || self.variants.contains_key(name)
                || self.transparent.contains_key(name)
                || self.written.contains_key(name);
            let passed = name == "Record" || CHECKED_ELSEWHERE.contains(&name);
            assert!(known || passed, "{path}: {name} is not known");
            self.rows(path, name, rows);
        }
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
