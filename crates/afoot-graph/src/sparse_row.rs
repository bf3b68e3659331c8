//! A row of values of which few are above 0: those alone are kept, under a bit for each frame.

/// What a frame is alike to: which later frames, as bits, and how much.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseRow {
    /// The first frame that a bit stands for.
    first: u32,
    /// 64 frames a word, with the number of those before it.
    words: Vec<(u64, u32)>,
    /// Of those frames, in order.
    values: Vec<f32>,
}

impl SparseRow {
    /// Of the frames from `first` on.
    pub(crate) fn new(first: u32, values: impl ExactSizeIterator<Item = f32>) -> Self {
        let mut row = Self {
            first,
            words: vec![(0, 0); values.len().div_ceil(64)],
            values: Vec::new(),
        };
        for (index, value) in values.enumerate() {
            let word = &mut row.words[index / 64];
            if index % 64 == 0 {
                word.1 = row.values.len() as u32;
            }
            if value > 0.0 {
                word.0 |= 1 << (index % 64);
                row.values.push(value);
            }
        }
        row.values.shrink_to_fit();
        row
    }

    /// How many are kept.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// What is kept of a frame, or 0.
    #[inline]
    pub(crate) fn value(&self, frame: u32) -> f32 {
        let index = (frame - self.first) as usize;
        // Frames that no window fits around have no words.
        let Some(&(bits, before)) = self.words.get(index / 64) else {
            return 0.0;
        };
        let bit = 1 << (index % 64);
        match bits & bit {
            0 => 0.0,
            _ => self.values[before as usize + (bits & (bit - 1)).count_ones() as usize],
        }
    }
}
