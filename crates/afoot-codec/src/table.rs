//! Tables: rows of plain numbers that are shared, and lie in memory of their own or in a mapped file.
//!
//! To whoever reads them a slice. A copy costs a counter, so a graph of a million rows can be handed
//! on. Rows are plain old data: any bytes are a row, so a damaged file gives wrong rows, never worse.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use bytemuck::Pod;

use crate::flat::Bytes;

/// Shared rows.
pub struct Table<T> {
    rows: *const T,
    count: usize,
    /// Keeps the rows where they are.
    _owner: Arc<dyn Send + Sync>,
}

// SAFETY: a table is a shared slice, which threads may share and pass on if they may its rows.
#[allow(unsafe_code)]
unsafe impl<T: Send + Sync> Send for Table<T> {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl<T: Send + Sync> Sync for Table<T> {}

impl<T: Pod + Send + Sync> Table<T> {
    /// The rows in a part of some bytes; `None` if they don't lie there whole and aligned.
    pub(crate) fn within(bytes: &Bytes, range: Range<usize>) -> Option<Self> {
        let part = (**bytes).as_ref().get(range)?;
        let rows: &[T] = bytemuck::try_cast_slice(part).ok()?;
        Some(Self {
            rows: rows.as_ptr(),
            count: rows.len(),
            _owner: Arc::new(Arc::clone(bytes)),
        })
    }
}

impl<T: Send + Sync + 'static> From<Vec<T>> for Table<T> {
    fn from(rows: Vec<T>) -> Self {
        let owner = Arc::new(rows);
        Self {
            rows: owner.as_ptr(),
            count: owner.len(),
            _owner: owner,
        }
    }
}

impl<T> Deref for Table<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: both makers take pointer and count from a slice that `_owner` keeps alive, in place
        // and unchanged: bytes are handed out by reference alone, and nobody else holds the vector.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(self.rows, self.count)
        }
    }
}

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        Self {
            _owner: Arc::clone(&self._owner),
            ..*self
        }
    }
}

impl<T: Send + Sync + 'static> Default for Table<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Send + Sync + 'static> FromIterator<T> for Table<T> {
    fn from_iter<I: IntoIterator<Item = T>>(rows: I) -> Self {
        rows.into_iter().collect::<Vec<T>>().into()
    }
}

impl<'a, T> IntoIterator for &'a Table<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for Table<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: fmt::Debug> fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_outlives_where_it_came_from() {
        let table: Table<u32> = vec![3, 4, 5].into();
        let copy = table.clone();
        drop(table);
        assert_eq!(*copy, [3, 4, 5]);
        assert_eq!(format!("{copy:?}"), "[3, 4, 5]");
        assert!(Table::<u32>::default().is_empty());
    }

    #[test]
    fn rows_must_lie_whole_and_aligned() {
        let words: Vec<u64> = vec![1, 2];
        let bytes: Bytes = Arc::new(crate::flat::Words(words));
        let whole = Table::<u32>::within(&bytes, 4..16).unwrap();
        drop(bytes.clone());
        assert_eq!(whole.len(), 3);
        for wrong in [1..5, 0..7, 8..20] {
            assert!(
                Table::<u32>::within(&bytes, wrong.clone()).is_none(),
                "{wrong:?}"
            );
        }
        drop(bytes);
        assert_eq!(*whole, [0, 2, 0]);
    }
}
