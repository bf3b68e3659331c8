//! Reads accessors: typed arrays in the buffers, every index and length checked.

use super::container::Container;
use super::document::{Accessor, FLOAT, UNSIGNED_INT};
use crate::error::{FormatError, Problem};
use crate::scene::expected;

/// An accessor's elements where they lie.
pub struct Elements<'a> {
    accessor: &'a Accessor,
    bytes: &'a [u8],
    stride: usize,
    /// Bytes of a component.
    size: usize,
    /// How many there are.
    pub count: usize,
}

impl Elements<'_> {
    /// The components of an element; those of integers normalised.
    pub fn floats<const N: usize>(&self, element: usize) -> [f32; N] {
        self.components(element, |bytes| component(self.accessor, bytes))
    }

    /// The components of an element that are whole numbers; others are 0.
    pub fn integers<const N: usize>(&self, element: usize) -> [u32; N] {
        let integral = self.accessor.component_type != FLOAT;
        self.components(element, |bytes| match *bytes {
            [a] => u32::from(a),
            [a, b] => u32::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] if integral => u32::from_le_bytes([a, b, c, d]),
            _ => 0,
        })
    }

    fn components<T, const N: usize>(&self, element: usize, value: impl Fn(&[u8]) -> T) -> [T; N] {
        let start = element * self.stride;
        std::array::from_fn(|n| value(&self.bytes[start + n * self.size..][..self.size]))
    }
}

impl Container {
    /// An accessor's elements, of the kind `SCALAR`, `VEC3`, `VEC4` or `MAT4`.
    pub fn elements(&self, index: usize, kind: &str) -> Result<Elements<'_>, FormatError> {
        let accessor = self.accessor(index)?;
        if accessor.kind != kind {
            let words = format!("{kind} in accessor {index}");
            return Err(expected(&words, accessor.kind.clone()));
        }
        let width = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let size = match accessor.component_type {
            UNSIGNED_INT => 4,
            _ => component_size(accessor, index)?,
        };
        let (bytes, stride) = self.view_of(accessor, index, size * width)?;
        Ok(Elements {
            accessor,
            bytes,
            stride,
            size,
            count: accessor.count,
        })
    }

    /// An accessor's values as floats, `width` to an element (normalised integers are expanded).
    pub fn floats(&self, index: usize, width: usize) -> Result<Vec<f32>, FormatError> {
        let accessor = self.accessor(index)?;
        let kind = match width {
            1 => "SCALAR",
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        if accessor.kind != kind {
            return Err(expected(
                &format!("{kind} in accessor {index}"),
                accessor.kind.clone(),
            ));
        }
        let size = component_size(accessor, index)?;
        let element = size * width;
        let (bytes, stride) = self.view_of(accessor, index, element)?;
        let value = |bytes: &[u8]| component(accessor, bytes);
        let mut values = Vec::with_capacity(accessor.count * width);
        for start in (0..accessor.count).map(|number| number * stride) {
            values.extend(bytes[start..start + element].chunks_exact(size).map(value));
        }
        match values.iter().position(|value| !value.is_finite()) {
            None => Ok(values),
            Some(at) => {
                let found = format!("{} in accessor {index}, element {}", values[at], at / width);
                Err(FormatError::new(Problem::NotFinite { found }))
            }
        }
    }

    pub fn accessor(&self, index: usize) -> Result<&Accessor, FormatError> {
        self.document
            .accessors
            .get(index)
            .ok_or_else(|| expected("an accessor that exists", format!("number {index}")))
    }

    /// The bytes that hold an accessor's elements, and the distance between two of them.
    fn view_of(
        &self,
        accessor: &Accessor,
        index: usize,
        element: usize,
    ) -> Result<(&[u8], usize), FormatError> {
        if accessor.sparse.is_some() {
            let words = format!("accessor {index} is sparse, which is not read here");
            return Err(FormatError::new(Problem::Unsupported(words)));
        }
        let missing = |what: &str| expected(what, format!("none for accessor {index}"));
        let view = accessor
            .buffer_view
            .and_then(|view| self.document.buffer_views.get(view));
        let view = view.ok_or_else(|| missing("a buffer view"))?;
        let buffer = self
            .buffers
            .get(view.buffer)
            .ok_or_else(|| missing("a buffer"))?;
        let stride = view
            .byte_stride
            .filter(|&stride| stride != 0)
            .unwrap_or(element);
        let needed = match accessor.count {
            0 => Some(0),
            count => (count - 1)
                .checked_mul(stride)
                .and_then(|n| n.checked_add(element)),
        };
        let bytes = buffer
            .get(view.byte_offset..)
            .and_then(|rest| rest.get(..view.byte_length))
            .and_then(|rest| rest.get(accessor.byte_offset..))
            .filter(|rest| needed.is_some_and(|needed| needed <= rest.len()));
        bytes.map(|bytes| (bytes, stride)).ok_or_else(|| {
            let words = format!(
                "room for the {} elements of accessor {index}",
                accessor.count
            );
            expected(&words, "the end of its buffer".into())
        })
    }
}

fn component_size(accessor: &Accessor, index: usize) -> Result<usize, FormatError> {
    match accessor.component_type {
        5120 | 5121 => Ok(1),
        5122 | 5123 => Ok(2),
        5126 => Ok(4),
        other => Err(expected(
            &format!("a component type in accessor {index}"),
            other.to_string(),
        )),
    }
}

/// One component; integers are normalised as the specification says.
fn component(accessor: &Accessor, bytes: &[u8]) -> f32 {
    match (accessor.component_type, bytes) {
        (5120, &[a]) => (f32::from(a as i8) / 127.0).max(-1.0),
        (5121, &[a]) => f32::from(a) / 255.0,
        (5122, &[a, b]) => (f32::from(i16::from_le_bytes([a, b])) / 32767.0).max(-1.0),
        (5123, &[a, b]) => f32::from(u16::from_le_bytes([a, b])) / 65535.0,
        (_, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
        _ => f32::NAN,
    }
}
