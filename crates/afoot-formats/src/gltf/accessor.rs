//! Reads accessors: typed arrays in the buffers, every index and length checked. Sparse ones are
//! filled in; all others are read where they lie.

use std::borrow::Cow;

use super::container::Container;
use super::document::{Accessor, FLOAT, Sparse, SparseArray, UNSIGNED_INT};
use crate::error::{FormatError, Problem};
use crate::scene::expected;

/// Zeros that stand in no buffer may take this many times the buffers' bytes: more is a broken count.
const MOST_ZEROS: usize = 64;

/// An accessor's elements.
pub struct Elements<'a> {
    accessor: &'a Accessor,
    bytes: Cow<'a, [u8]>,
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
    ) -> Result<(Cow<'_, [u8]>, usize), FormatError> {
        let own = Array {
            view: accessor.buffer_view,
            offset: accessor.byte_offset,
            count: accessor.count,
            element,
        };
        match (&accessor.sparse, own.view) {
            (None, Some(_)) => {
                let (bytes, stride) = self.bytes_of(&own, index)?;
                Ok((Cow::Borrowed(bytes), stride))
            }
            (sparse, _) => {
                let mut packed = self.packed(&own, index)?;
                if let Some(sparse) = sparse {
                    self.fill_in(&mut packed, sparse, index, element)?;
                }
                Ok((Cow::Owned(packed), element))
            }
        }
    }

    /// A copy of an array without gaps; zeros where it has no buffer view.
    fn packed(&self, array: &Array, index: usize) -> Result<Vec<u8>, FormatError> {
        if array.view.is_some() {
            let (bytes, stride) = self.bytes_of(array, index)?;
            let element = |n: usize| &bytes[n * stride..][..array.element];
            return Ok((0..array.count).flat_map(element).copied().collect());
        }
        let room = self.buffers.iter().map(Vec::len).sum::<usize>() * MOST_ZEROS;
        let length = array.count.checked_mul(array.element);
        match length.filter(|length| *length <= room) {
            Some(length) => Ok(vec![0; length]),
            None => {
                let words = format!("fewer elements in accessor {index}, which has no buffer view");
                Err(expected(&words, array.count.to_string()))
            }
        }
    }

    /// Puts a sparse accessor's values into their places.
    fn fill_in(
        &self,
        packed: &mut [u8],
        sparse: &Sparse,
        index: usize,
        element: usize,
    ) -> Result<(), FormatError> {
        let size = match sparse.indices.component_type {
            5121 => 1,
            5123 => 2,
            UNSIGNED_INT => 4,
            other => {
                let words = format!("a type of sparse indices in accessor {index}");
                return Err(expected(&words, other.to_string()));
            }
        };
        let array = |array: &SparseArray, element| Array {
            view: array.buffer_view,
            offset: array.byte_offset,
            count: sparse.count,
            element,
        };
        let (places, place_stride) = self.bytes_of(&array(&sparse.indices, size), index)?;
        let (values, value_stride) = self.bytes_of(&array(&sparse.values, element), index)?;
        let count = packed.len() / element;
        for n in 0..sparse.count {
            let digits = places[n * place_stride..][..size].iter().rev();
            let place = digits.fold(0, |number, &digit| number << 8 | usize::from(digit));
            let wanted = || format!("sparse indices below {count} in accessor {index}");
            let target = packed.chunks_exact_mut(element).nth(place);
            target
                .ok_or_else(|| expected(&wanted(), place.to_string()))?
                .copy_from_slice(&values[n * value_stride..][..element]);
        }
        Ok(())
    }

    /// The bytes of an array, and the distance between two of its elements.
    fn bytes_of(&self, array: &Array, index: usize) -> Result<(&[u8], usize), FormatError> {
        let missing = |what: &str| expected(what, format!("none for accessor {index}"));
        let view = array
            .view
            .and_then(|view| self.document.buffer_views.get(view));
        let view = view.ok_or_else(|| missing("a buffer view"))?;
        let buffer = self
            .buffers
            .get(view.buffer)
            .ok_or_else(|| missing("a buffer"))?;
        let stride = view
            .byte_stride
            .filter(|&stride| stride != 0)
            .unwrap_or(array.element);
        let needed = match array.count {
            0 => Some(0),
            count => (count - 1)
                .checked_mul(stride)
                .and_then(|n| n.checked_add(array.element)),
        };
        let bytes = buffer
            .get(view.byte_offset..)
            .and_then(|rest| rest.get(..view.byte_length))
            .and_then(|rest| rest.get(array.offset..))
            .filter(|rest| needed.is_some_and(|needed| needed <= rest.len()));
        bytes.map(|bytes| (bytes, stride)).ok_or_else(|| {
            let words = format!("room for the {} elements of accessor {index}", array.count);
            expected(&words, "the end of its buffer".into())
        })
    }
}

/// Elements in a buffer view.
struct Array {
    view: Option<usize>,
    offset: usize,
    count: usize,
    /// Bytes of an element.
    element: usize,
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
