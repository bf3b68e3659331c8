//! The rows of the MOTION part into a clip.
//!
//! Rows are parsed into a block of [`LANES`] frames, a lane each, which `columns` turns into frames.
//! Room is taken for as many frames as the header promises, but never more than the text can hold.

use afoot_core::Clip;

use crate::bvh::columns::{Columns, append_block};
use crate::bvh::positions::scale_positions;
use crate::error::{FormatError, Problem};
use crate::lanes::{LANES, Lanes};
use crate::motion::PositionChannels;
use crate::numbers::{self, NotANumber};
use crate::plausible::PLAUSIBLE_ANGLE;
use crate::scan::{Scanner, ends_line, memory_limit};
use crate::tokens::LineWords;

/// What there is to know about the rows beforehand.
pub(super) struct Rows {
    /// The header's count of frames.
    pub(super) promised: u64,
    /// Accept fewer.
    pub(super) partial: bool,
    pub(super) position_channels: PositionChannels,
    pub(super) metres_per_unit: f64,
}

/// Reads all rows from the scanner's place into an empty clip.
pub(super) fn read_rows(
    scanner: Scanner,
    rows: Rows,
    clip: &mut Clip,
    warnings: &mut Vec<String>,
) -> Result<(), FormatError> {
    let columns = Columns::of(&clip.skeleton);
    let mut reader = RowReader {
        scanner,
        columns: columns.count,
        words: LineWords::with_room(columns.count),
        wide: false,
        starts: [0; LANES],
    };
    if columns.count == 0 && rows.promised > 0 {
        let what = "no frames, as no joint has channels";
        return Err(reader.scanner.expected_at(reader.scanner.pos, what));
    }
    clip.sliding = columns.empty_sliding();
    reader.make_room(0, rows.promised, &columns, clip)?;
    let mut block: Vec<Lanes> = vec![[0.0; LANES]; columns.count];
    loop {
        let filled = reader.read_block(&mut block, clip.len(), &rows, warnings)?;
        if clip.len() + filled > clip.root.capacity() {
            reader.make_room(filled, reader.lines_left(), &columns, clip)?;
        }
        if let Some((lane, column)) = columns.wild_turn(&block, filled) {
            return Err(reader.wild_turn(lane, column));
        }
        append_block(&block, filled, &columns, clip);
        if filled < LANES {
            break;
        }
    }
    shrink(clip);
    check_count(&reader.scanner, clip.len() as u64, &rows, warnings)?;
    scale_positions(clip, &columns, &rows, warnings);
    Ok(())
}

struct RowReader<'a> {
    scanner: Scanner<'a>,
    columns: usize,
    words: LineWords,
    /// Most numbers are longer than 8 characters.
    wide: bool,
    /// Where the rows of the last block stand in the text.
    starts: [usize; LANES],
}

impl RowReader<'_> {
    /// Room in the clip for frames that were `read` and for `more`, as far as the rest of the text
    /// can hold them: a digit and a blank for each number. Refuses what would take far more memory
    /// than the text.
    fn make_room(
        &self,
        read: usize,
        more: u64,
        columns: &Columns,
        clip: &mut Clip,
    ) -> Result<(), FormatError> {
        let rest = self.scanner.text.len() - self.scanner.pos;
        let most = (rest + 1) / (2 * columns.count.max(1));
        let more = read + usize::try_from(more).unwrap_or(most).min(most);
        // Growing has the old and the new at once.
        let bytes = (2 * clip.len() + more).saturating_mul(columns.frame_bytes());
        if bytes > memory_limit(self.scanner.text) {
            return Err(self.too_much_memory(columns));
        }
        clip.root.reserve_exact(more);
        clip.rotations.reserve_exact(more * columns.joints.len());
        for sliding in &mut clip.sliding {
            sliding.offsets.reserve_exact(more);
        }
        Ok(())
    }

    fn too_much_memory(&self, columns: &Columns) -> FormatError {
        let (joints, channels) = (columns.joints.len(), columns.count);
        let problem = Problem::Unsupported(format!(
            "{joints} joints with only {channels} channels: the frames would take more than eight \
             times the file's size in memory"
        ));
        FormatError::at(self.scanner.text, self.scanner.pos, problem)
    }

    /// How many lines are left at most.
    fn lines_left(&self) -> u64 {
        let rest = &self.scanner.text[self.scanner.pos..];
        rest.iter().filter(|&&byte| ends_line(byte)).count() as u64 + 1
    }

    /// Reads up to [`LANES`] rows; fewer mean the end of the file.
    fn read_block(
        &mut self,
        block: &mut [Lanes],
        frames_before: usize,
        rows: &Rows,
        warnings: &mut Vec<String>,
    ) -> Result<usize, FormatError> {
        for lane in 0..LANES {
            self.scanner.skip_space();
            if self.scanner.peek().is_none() || self.columns == 0 {
                return Ok(lane);
            }
            self.starts[lane] = self.scanner.pos;
            match self.read_row(block, lane) {
                RowEnd::Whole => {}
                RowEnd::Short => {
                    self.end_of_short_row((frames_before + lane) as u64 + 1, rows, warnings)?;
                    return Ok(lane);
                }
                RowEnd::Long => return Err(self.long_row()),
                RowEnd::Odd(place, fault) => {
                    return Err(self.scanner.number_error(place, fault, "a number"));
                }
            }
        }
        Ok(LANES)
    }

    /// Reads one row into a lane and moves behind it.
    fn read_row(&mut self, block: &mut [Lanes], lane: usize) -> RowEnd {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("popcnt")
        {
            // SAFETY: the processor has all that the function asks for.
            #[allow(unsafe_code)]
            return unsafe { self.read_row_avx2(block, lane) };
        }
        self.read_row_anywhere(block, lane)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn read_row_avx2(&mut self, block: &mut [Lanes], lane: usize) -> RowEnd {
        self.read_row_anywhere(block, lane)
    }

    #[inline(always)]
    fn read_row_anywhere(&mut self, block: &mut [Lanes], lane: usize) -> RowEnd {
        let text = self.scanner.text;
        let Some(end) = self.words.find(text, self.scanner.pos) else {
            return RowEnd::Long;
        };
        let words = self.words.words();
        if words.len() > block.len() {
            return RowEnd::Long;
        }
        // Two loops, so that each keeps its constants in registers.
        let odd = match self.wide {
            true => read_words::<true>(text, words, block, lane),
            false => read_words::<false>(text, words, block, lane),
        };
        let odd = match odd {
            Ok(odd) => odd,
            Err((place, fault)) => return RowEnd::Odd(place, fault),
        };
        // Numbers of mixed lengths are best all read the wide way.
        self.wide |= odd > block.len() / 16;
        self.scanner.pos = end;
        if words.len() < block.len() {
            RowEnd::Short
        } else {
            RowEnd::Whole
        }
    }

    fn wild_turn(&mut self, lane: usize, column: usize) -> FormatError {
        let row = self.starts[lane];
        self.words.find(self.scanner.text, row);
        let place = self.words.words().get(column).map_or(row, |word| word[0]);
        self.scanner.expected_at(place, PLAUSIBLE_ANGLE)
    }

    fn long_row(&mut self) -> FormatError {
        let what = format!("the end of the line after {} values", self.columns);
        let extra = self.words.words()[self.columns][0];
        self.scanner.expected_at(extra, &what)
    }

    /// A row with too few numbers: the end of a cut-off file, or a fault inside it.
    fn end_of_short_row(
        &mut self,
        frame: u64,
        rows: &Rows,
        warnings: &mut Vec<String>,
    ) -> Result<(), FormatError> {
        let end_of_row = self.scanner.pos;
        self.scanner.skip_space();
        let (found, expected) = (self.words.count() as u64, self.columns as u64);
        let problem = match self.scanner.peek() {
            None if rows.partial => {
                let row = format!("the last row, frame {frame}, is cut off and was left out");
                warnings.push(row);
                return Ok(());
            }
            None => Problem::CutOffInFrame {
                frame,
                found,
                expected,
                what: "values",
            },
            Some(_) => Problem::FrameLength {
                frame,
                found,
                expected,
                what: "values",
            },
        };
        Err(FormatError::at(self.scanner.text, end_of_row, problem))
    }
}

/// How reading a row ended.
enum RowEnd {
    Whole,
    /// Too few numbers.
    Short,
    /// Too many.
    Long,
    /// Something that is no number, and where.
    Odd(usize, NotANumber),
}

/// Reads words into a lane, the fast way for short or for wide numbers; gives how many were odd.
#[inline(always)]
fn read_words<const WIDE: bool>(
    text: &[u8],
    words: &[[usize; 2]],
    block: &mut [Lanes],
    lane: usize,
) -> Result<usize, (usize, NotANumber)> {
    let mut odd = 0;
    for (lanes, &word) in block.iter_mut().zip(words) {
        let fast = match WIDE {
            true => numbers::wide_number(text, word),
            false => numbers::short_number(text, word),
        };
        lanes[lane % LANES] = match fast {
            Some(value) => value,
            None => {
                odd += 1;
                odd_number(text, word).map_err(|fault| (word[0], fault))?
            }
        };
    }
    Ok(odd)
}

#[cold]
#[inline(never)]
fn odd_number(text: &[u8], [begin, end]: [usize; 2]) -> Result<f64, NotANumber> {
    match numbers::wide_number(text, [begin, end]) {
        Some(value) => Ok(value),
        None => numbers::number_in(&text[begin..end]),
    }
}

/// Gives back room beyond an eighth too much, which a header that promises too many frames has
/// taken: up to what the rest of the text could hold if all its numbers were single digits.
fn shrink(clip: &mut Clip) {
    if clip.root.capacity() > clip.len() + clip.len() / 8 {
        clip.root.shrink_to_fit();
        clip.rotations.shrink_to_fit();
        clip.sliding
            .iter_mut()
            .for_each(|sliding| sliding.offsets.shrink_to_fit());
    }
}

fn check_count(
    scanner: &Scanner,
    found: u64,
    rows: &Rows,
    warnings: &mut Vec<String>,
) -> Result<(), FormatError> {
    let expected = rows.promised;
    if found < expected && !rows.partial {
        let problem = Problem::CutOff { found, expected };
        return Err(FormatError::at(scanner.text, scanner.text.len(), problem));
    }
    if found != expected {
        let kept = format!("the header promises {expected} frames, the file has {found}; all kept");
        warnings.push(kept);
    }
    Ok(())
}
