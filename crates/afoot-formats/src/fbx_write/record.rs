//! Records of a binary FBX file: a name, typed properties, records below.

/// A property of a record.
pub enum Value {
    Int(i32),
    Long(i64),
    Real(f64),
    Text(String),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Ints(Vec<i32>),
}

/// A record: a name, properties, records below.
pub struct Record {
    name: &'static str,
    values: Vec<Value>,
    below: Vec<Record>,
}

pub fn record(name: &'static str, values: Vec<Value>, below: Vec<Record>) -> Record {
    Record {
        name,
        values,
        below,
    }
}

pub fn text(words: impl Into<String>) -> Value {
    Value::Text(words.into())
}

/// An object's name as the format has it: the name, then its class.
pub fn object_name(name: &str, class: &str) -> Value {
    Value::Text(format!("{name}\0\u{1}{class}"))
}

impl Record {
    pub fn write(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend([0; 12]);
        out.push(self.name.len() as u8);
        out.extend(self.name.as_bytes());
        let values_at = out.len();
        self.values.iter().for_each(|value| value.write(out));
        let values_length = (out.len() - values_at) as u32;
        if !self.below.is_empty() {
            self.below.iter().for_each(|record| record.write(out));
            out.extend([0; 13]);
        }
        let end = out.len() as u32;
        let counts = [end, self.values.len() as u32, values_length];
        for (at, count) in counts.into_iter().enumerate() {
            out[start + 4 * at..][..4].copy_from_slice(&count.to_le_bytes());
        }
    }
}

impl Value {
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut array = |kind: u8, count: usize, bytes: Vec<u8>| {
            out.push(kind);
            for number in [count as u32, 0, bytes.len() as u32] {
                out.extend(number.to_le_bytes());
            }
            out.extend(bytes);
        };
        match self {
            Self::Longs(values) => array(
                b'l',
                values.len(),
                values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            ),
            Self::Floats(values) => array(
                b'f',
                values.len(),
                values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            ),
            Self::Ints(values) => array(
                b'i',
                values.len(),
                values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            ),
            Self::Int(value) => {
                out.push(b'I');
                out.extend(value.to_le_bytes());
            }
            Self::Long(value) => {
                out.push(b'L');
                out.extend(value.to_le_bytes());
            }
            Self::Real(value) => {
                out.push(b'D');
                out.extend(value.to_le_bytes());
            }
            Self::Text(words) => {
                out.push(b'S');
                out.extend((words.len() as u32).to_le_bytes());
                out.extend(words.as_bytes());
            }
        }
    }
}

/// A property of an object, by FBX's own names.
pub fn property(name: &str, kinds: [&str; 3], values: Vec<Value>) -> Record {
    let head = [name, kinds[0], kinds[1], kinds[2]].map(text);
    record("P", head.into_iter().chain(values).collect(), vec![])
}
