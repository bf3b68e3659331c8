//! Rows interleaved for the products, with the square of each.

/// Rows in panels of `N`: column c of a panel's rows lies side by side. What is no row is zero.
#[derive(Clone, Debug)]
pub(crate) struct Panels<const N: usize> {
    width: usize,
    len: usize,
    values: Vec<f32>,
    /// The sum of squares of each row as the products give it, so that a row is at distance zero from
    /// itself; zero where there is none.
    squares: Vec<f32>,
}

impl<const N: usize> Panels<N> {
    /// Interleaves rows, which come as an iterator, less `origin`.
    pub fn new<'a>(rows: impl Iterator<Item = &'a [f32]>, origin: &[f32]) -> Self {
        let mut panels = Self {
            width: origin.len(),
            len: 0,
            values: Vec::new(),
            squares: Vec::new(),
        };
        rows.for_each(|row| panels.push(row, origin));
        panels
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.len = 0;
        self.values.clear();
        self.squares.clear();
    }

    /// Adds a row less `origin`.
    pub fn push(&mut self, row: &[f32], origin: &[f32]) {
        assert_eq!(row.len(), self.width, "rows of one width");
        if self.len.is_multiple_of(N) {
            let filled = self.values.len() + N * self.width;
            self.values.resize(filled, 0.0);
            self.squares.resize(self.squares.len() + N, 0.0);
        }
        let panel = self.values.len() - N * self.width;
        let lane = self.len % N;
        let columns = self.values[panel..].chunks_exact_mut(N);
        let mut sum = 0f32;
        for (column, (value, origin)) in columns.zip(row.iter().zip(origin)) {
            let value = value - origin;
            column[lane] = value;
            sum = value.mul_add(value, sum);
        }
        self.squares[self.len] = sum;
        self.len += 1;
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// How many panels they fill.
    pub fn count(&self) -> usize {
        self.len.div_ceil(N)
    }

    /// One panel, column by column.
    pub fn panel(&self, panel: usize) -> &[f32] {
        &self.values[panel * N * self.width..][..N * self.width]
    }

    /// The sums of squares of a panel's rows.
    pub fn panel_squares(&self, panel: usize) -> &[f32; N] {
        let squares = &self.squares[panel * N..][..N];
        squares.try_into().expect("N of them")
    }
}
