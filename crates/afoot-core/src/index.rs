//! Typed indices: a joint's number can't be used where a frame's is meant.

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, bytemuck::Pod, bytemuck::Zeroable,
        )]
        #[repr(transparent)]
        pub struct $name(pub $inner);

        impl $name {
            /// The index as a position in a slice.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            #[inline]
            fn from(index: usize) -> Self {
                debug_assert!(index <= <$inner>::MAX as usize, "index {index} out of range");
                Self(index as $inner)
            }
        }
    };
}

index_type! {
    /// A joint of one skeleton; parents have smaller numbers than their children.
    JointId(u16)
}
index_type! {
    /// A frame of one clip, counted from 0.
    FrameId(u32)
}
index_type! {
    /// A clip of one library or graph, in its order there.
    ClipId(u32)
}
