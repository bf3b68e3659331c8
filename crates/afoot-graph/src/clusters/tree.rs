//! The cluster tree: every merge of every state, kept so that the error can be moved at once.

use afoot_codec::{Artefact, Kind, Malformed, Reader, Writer};

use super::agglomerate::Merge;

/// How all frames of a library merge; frames of different states never do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClusterTree {
    /// How many frames there are, also those that are left out.
    pub frames: u32,
    /// Merges between frames; those of one state in order, `a` before `b`, each `b` once.
    pub merges: Vec<Merge>,
}

impl ClusterTree {
    /// The largest subtrees all of whose merges are at most `error`. (Heights can fall, so that it
    /// does not do to stop at the first one above.) [m]
    pub fn cut(&self, error: f32) -> Cut {
        let mut highest = vec![0f32; self.frames as usize];
        let mut within = highest.clone();
        let mut first: Vec<u32> = (0..self.frames).collect();
        for &Merge { a, b, height } in &self.merges {
            let [x, y] = [a, b].map(|frame| highest[frame as usize]);
            let height = height.max(x).max(y);
            highest[a as usize] = height;
            if height <= error {
                within[a as usize] = height;
                first[b as usize] = a;
            }
        }
        // A cluster's first member comes before all others, so that its own is known already.
        for frame in 0..first.len() {
            first[frame] = first[first[frame] as usize];
        }
        Cut {
            first,
            error: within,
        }
    }
}

/// The clusters at one error.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// For every frame the first frame of its cluster.
    pub first: Vec<u32>,
    /// For every first frame the highest merge within its cluster. [m]
    pub error: Vec<f32>,
}

impl Artefact for ClusterTree {
    const KIND: Kind = Kind {
        magic: *b"afootclu",
        version: 2,
        // Older ones are of other vectors.
        oldest: 2,
        other_hash: 0,
        name: "cluster tree",
        what: "cluster tree",
    };

    fn write(&self, writer: &mut Writer) {
        writer.u32(self.frames);
        writer.count(self.merges.len());
        for &Merge { a, b, height } in &self.merges {
            writer.u32s([a, b]);
            writer.f32(height);
        }
    }

    fn read(reader: &mut Reader<'_>, _version: u32) -> Result<Self, Malformed> {
        let frames = reader.u32()?;
        let merges = reader.list(12, |reader| {
            let (a, b) = (reader.u32()?, reader.u32()?);
            reader.require(
                a < b && b < frames,
                "a merge is of frames that are not there",
            )?;
            let height = reader.finite()?;
            Ok(Merge { a, b, height })
        })?;
        Ok(Self { frames, merges })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(merges: &[(u32, u32, f32)]) -> ClusterTree {
        let merge = |&(a, b, height)| Merge { a, b, height };
        ClusterTree {
            frames: 5,
            merges: merges.iter().map(merge).collect(),
        }
    }

    #[test]
    fn a_cut_is_the_largest_subtrees_without_a_higher_merge() {
        let falling = tree(&[(1, 2, 2.0), (0, 1, 1.8), (3, 4, 3.0), (0, 3, 9.0)]);
        assert_eq!(
            falling.cut(1.9).first,
            [0, 1, 2, 3, 4],
            "1.8 lies on top of 2.0"
        );
        assert_eq!(falling.cut(2.0).first, [0, 0, 0, 3, 4]);
        assert_eq!(falling.cut(3.0).first, [0, 0, 0, 3, 3]);
        assert_eq!(falling.cut(9.0).first, [0; 5]);
        assert_eq!(falling.cut(2.5).error[..2], [2.0, 2.0], "1.8 on top of 2.0");
        assert_eq!(falling.cut(8.0).error[3], 3.0);
    }

    #[test]
    fn trees_come_back_from_bytes() {
        let tree = tree(&[(1, 2, 2.0), (0, 1, 1.8)]);
        assert_eq!(ClusterTree::from_bytes(&tree.to_bytes()).unwrap(), tree);
        let wrong = ClusterTree { frames: 2, ..tree };
        assert!(ClusterTree::from_bytes(&wrong.to_bytes()).is_err());
    }
}
