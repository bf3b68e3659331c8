//! Where the words of a line begin and end, 64 bytes at a time.
//!
//! Finding all words first frees the parser from waiting for one number's end before it can begin
//! the next: that is most of the reader's speed. The idea of bit masks of separators is that of
//! Langdale and Lemire 2019 (simdjson), for the one separator that matters here.

/// Begins and ends of the words of one line: `[begin, end, begin, end, ...]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineWords {
    /// Longer than `len` by what the last round may write too much.
    bounds: Vec<usize>,
    len: usize,
}

const CHUNK: usize = 64;

/// Begins and ends in a chunk of numbers with four decimals, few of which have more.
const USUAL_EDGES: usize = 20;

impl LineWords {
    /// Room for `words`; finding stops soon after as many.
    pub(crate) fn with_room(words: usize) -> Self {
        Self {
            bounds: vec![0; 2 * words + 2 * CHUNK],
            len: 0,
        }
    }

    /// How many words were found.
    pub(crate) fn count(&self) -> usize {
        self.len / 2
    }

    /// Begin and end of each word.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[[usize; 2]] {
        self.bounds[..self.len].as_chunks().0
    }

    /// Finds the words from `start` to the line's end, and gives the place of that end; `None` if
    /// the line has more words than there is room for.
    #[inline(always)]
    pub(crate) fn find(&mut self, text: &[u8], start: usize) -> Option<usize> {
        self.len = 0;
        let (mut base, mut carry) = (start, 0);
        loop {
            let (blanks, ends) = match text.get(base..base + CHUNK) {
                Some(chunk) => masks(chunk.try_into().expect("as long as asked")),
                None => masks(&last_chunk(text, base)),
            };
            // Up to and including the first line end.
            let line = ends ^ ends.wrapping_sub(1);
            let words = !blanks;
            let edges = (words ^ (words << 1 | carry)) & line;
            carry = words >> 63;
            self.push(base, edges)?;
            if ends != 0 {
                return Some(base + ends.trailing_zeros() as usize);
            }
            base += CHUNK;
        }
    }

    /// Appends `base` plus the place of each bit. As many as usual are written in any case, because
    /// a loop that ends with the bits would end differently every time.
    #[inline(always)]
    fn push(&mut self, base: usize, mut edges: u64) -> Option<()> {
        let room: &mut [usize; CHUNK] = self.bounds.get_mut(self.len..)?.first_chunk_mut()?;
        let count = edges.count_ones() as usize;
        let (usual, more) = room.split_at_mut(USUAL_EDGES);
        for bound in usual {
            *bound = base + edges.trailing_zeros() as usize;
            edges &= edges.wrapping_sub(1);
        }
        for bound in more {
            if edges == 0 {
                break;
            }
            *bound = base + edges.trailing_zeros() as usize;
            edges &= edges.wrapping_sub(1);
        }
        self.len += count;
        Some(())
    }
}

/// What is left of the text, a line end behind it.
#[cold]
fn last_chunk(text: &[u8], base: usize) -> [u8; CHUNK] {
    let mut chunk = [b'\n'; CHUNK];
    let rest = text.get(base..).unwrap_or_default();
    chunk[..rest.len()].copy_from_slice(rest);
    chunk
}

/// Bits of the bytes that are white space or control characters, and of those that end a line.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn masks(chunk: &[u8; CHUNK]) -> (u64, u64) {
    // SAFETY: every processor of this architecture has SSE2.
    #[allow(unsafe_code)]
    unsafe {
        masks_sse2(chunk)
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn masks_sse2(chunk: &[u8; CHUNK]) -> (u64, u64) {
    use std::arch::x86_64::{
        _mm_cmpeq_epi8, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x,
        _mm_set1_epi8,
    };
    let (mut blanks, mut ends) = (0, 0);
    for (index, part) in chunk.as_chunks::<16>().0.iter().enumerate() {
        let half = |from: usize| {
            let eight: [u8; 8] = part[from..from + 8].try_into().expect("half of sixteen");
            i64::from_le_bytes(eight)
        };
        let bytes = _mm_set_epi64x(half(8), half(0));
        let is = |byte: u8| _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8));
        let blank = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(b' ' as i8)), bytes);
        let end = _mm_or_si128(is(b'\n'), is(b'\r'));
        blanks |= u64::from(_mm_movemask_epi8(blank) as u16) << (16 * index);
        ends |= u64::from(_mm_movemask_epi8(end) as u16) << (16 * index);
    }
    (blanks, ends)
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn masks(chunk: &[u8; CHUNK]) -> (u64, u64) {
    masks_anywhere(chunk)
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn masks_anywhere(chunk: &[u8; CHUNK]) -> (u64, u64) {
    let bits = |is: fn(u8) -> bool| {
        let set = |(index, &byte): (usize, &u8)| u64::from(is(byte)) << index;
        chunk.iter().enumerate().map(set).fold(0, |a, b| a | b)
    };
    (bits(|byte| byte <= b' '), bits(crate::scan::ends_line))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line's words, found byte by byte.
    fn reference(text: &[u8], start: usize) -> (Vec<[usize; 2]>, usize) {
        let is_end = |byte: &u8| *byte == b'\n' || *byte == b'\r';
        let length = text[start..].iter().position(is_end);
        let end = length.map_or(text.len(), |length| start + length);
        let mut words = Vec::new();
        let mut begin = None;
        for place in start..=end {
            let inside = place < end && text.get(place).is_some_and(|&byte| byte > b' ');
            match (begin, inside) {
                (None, true) => begin = Some(place),
                (Some(from), false) => {
                    words.push([from, place]);
                    begin = None;
                }
                _ => {}
            }
        }
        (words, end)
    }

    #[test]
    fn lines_are_cut_into_words() {
        let mut state = 7_u64;
        for round in 0..3000 {
            let mut text = Vec::new();
            for _ in 0..round % 400 {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let letters = b"0123456789.- \t  \r\n\x80\xff";
                let rare = if (state >> 50).is_multiple_of(9) {
                    20
                } else {
                    15
                };
                text.push(letters[(state >> 33) as usize % rare]);
            }
            let mut line = LineWords::with_room(400);
            let mut start = 0;
            while start < text.len() {
                let (words, end) = reference(&text, start);
                assert_eq!(line.find(&text, start), Some(end));
                assert_eq!(
                    line.words(),
                    words,
                    "{:?}",
                    String::from_utf8_lossy(&text[start..])
                );
                start = end + 1;
            }
        }
    }

    #[test]
    fn a_line_with_too_many_words_is_given_up() {
        let text = b"1 ".repeat(1000);
        assert_eq!(LineWords::with_room(10).find(&text, 0), None);
        assert_eq!(LineWords::with_room(1000).find(&text, 0), Some(2000));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_masks_agree_with_looking_at_each_byte() {
        for first in 0..=255_u8 {
            let chunk = std::array::from_fn(|index| first.wrapping_add((37 * index) as u8));
            assert_eq!(masks(&chunk), masks_anywhere(&chunk));
        }
    }
}
