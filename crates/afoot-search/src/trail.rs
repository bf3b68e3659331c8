//! The steps behind a set of living walks: a tree that grows at the leaves and is forgotten from
//! the root. Links are stored parents first, which forgetting keeps.

/// A link of a [`Trail`], or its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinkId(u32);

impl LinkId {
    /// Where walks begin.
    pub(crate) const START: Self = Self(u32::MAX);
}

#[derive(Debug)]
pub(crate) struct Trail<Step> {
    links: Vec<(LinkId, Step)>,
}

impl<Step: Clone> Trail<Step> {
    pub(crate) fn new() -> Self {
        Self { links: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    pub(crate) fn push(&mut self, before: LinkId, step: Step) -> LinkId {
        assert!(
            self.links.len() < u32::MAX as usize,
            "the memory limit keeps a trail below this"
        );
        self.links.push((before, step));
        LinkId(self.links.len() as u32 - 1)
    }

    pub(crate) fn steps_to(&self, at: LinkId) -> Vec<Step> {
        let mut steps: Vec<Step> = self
            .chain(at)
            .map(|link| self.links[link].1.clone())
            .collect();
        steps.reverse();
        steps
    }

    /// Drops the links that lead to none of `living` and renumbers these.
    pub(crate) fn forget_dead<'a>(&mut self, living: impl Iterator<Item = &'a mut LinkId>) {
        let living: Vec<&mut LinkId> = living.collect();
        let mut alive = vec![false; self.links.len()];
        for leaf in &living {
            for link in self.chain(**leaf) {
                if std::mem::replace(&mut alive[link], true) {
                    break;
                }
            }
        }
        let mut number = vec![LinkId::START; self.links.len()];
        let mut kept = Vec::with_capacity(alive.iter().filter(|a| **a).count());
        for (index, (before, step)) in self.links.drain(..).enumerate() {
            if alive[index] {
                number[index] = LinkId(kept.len() as u32);
                kept.push((renumbered(before, &number), step));
            }
        }
        self.links = kept;
        living
            .into_iter()
            .for_each(|leaf| *leaf = renumbered(*leaf, &number));
    }

    /// Removes the links that all of `living` begin with; no dead ones may be left.
    pub(crate) fn take_shared<'a>(
        &mut self,
        living: impl Iterator<Item = &'a mut LinkId>,
    ) -> Vec<Step> {
        let living: Vec<&mut LinkId> = living.collect();
        let shared = self.shared_prefix(&living);
        let number: Vec<LinkId> = (0..self.links.len())
            .map(|link| {
                link.checked_sub(shared)
                    .map_or(LinkId::START, |n| LinkId(n as u32))
            })
            .collect();
        let taken = self.links.drain(..shared).map(|(_, step)| step).collect();
        self.links
            .iter_mut()
            .for_each(|(before, _)| *before = renumbered(*before, &number));
        living
            .into_iter()
            .for_each(|leaf| *leaf = renumbered(*leaf, &number));
        taken
    }

    /// The link halfway up to `at`.
    pub(crate) fn middle_of(&self, at: LinkId) -> LinkId {
        let half = self.chain(at).count() / 2;
        self.chain(at)
            .nth(half)
            .map_or(LinkId::START, |link| LinkId(link as u32))
    }

    /// Which links lie behind `root`, itself included.
    pub(crate) fn descendants(&self, root: LinkId) -> Vec<bool> {
        let mut inside = vec![false; self.links.len()];
        for (index, (before, _)) in self.links.iter().enumerate() {
            let is_root = LinkId(index as u32) == root;
            inside[index] = is_root || self.is_in(&inside, *before);
        }
        inside
    }

    /// Whether `link` is one of those that `descendants` gave.
    pub(crate) fn is_in(&self, inside: &[bool], link: LinkId) -> bool {
        link != LinkId::START && inside[link.0 as usize]
    }

    /// How many links from the start on form a single line that every leaf lies behind.
    fn shared_prefix(&self, living: &[&mut LinkId]) -> usize {
        let mut children = vec![0u32; self.links.len() + 1];
        let position = |link: LinkId| {
            if link == LinkId::START {
                0
            } else {
                link.0 as usize + 1
            }
        };
        self.links
            .iter()
            .for_each(|(before, _)| children[position(*before)] += 1);
        // A leaf ends the line at its own link: it counts as two.
        living
            .iter()
            .for_each(|leaf| children[position(**leaf)] += 2);
        children
            .iter()
            .take(self.links.len())
            .take_while(|&&count| count == 1)
            .count()
    }

    /// From `at` back to the start.
    fn chain(&self, at: LinkId) -> impl Iterator<Item = usize> + '_ {
        let known = |link: LinkId| (link != LinkId::START).then_some(link.0 as usize);
        std::iter::successors(known(at), move |&link| known(self.links[link].0))
    }
}

fn renumbered(link: LinkId, number: &[LinkId]) -> LinkId {
    if link == LinkId::START {
        link
    } else {
        number[link.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a-b-c with leaves d, e behind c and a dead f behind b.
    fn tree() -> (Trail<char>, LinkId, LinkId) {
        let mut trail = Trail::new();
        let a = trail.push(LinkId::START, 'a');
        let b = trail.push(a, 'b');
        trail.push(b, 'f');
        let c = trail.push(b, 'c');
        (trail, c, b)
    }

    #[test]
    fn dead_links_go_and_shared_ones_are_taken_once() {
        let (mut trail, c, _) = tree();
        let (d, e) = (trail.push(c, 'd'), trail.push(c, 'e'));
        let mut living = [d, e];
        trail.forget_dead(living.iter_mut());
        assert_eq!(trail.len(), 5);
        assert_eq!(trail.take_shared(living.iter_mut()), vec!['a', 'b', 'c']);
        assert_eq!(trail.steps_to(living[0]), vec!['d']);
        assert_eq!(trail.steps_to(living[1]), vec!['e']);
        assert!(trail.take_shared(living.iter_mut()).is_empty());
    }

    #[test]
    fn a_living_walk_that_ends_early_limits_what_is_shared() {
        let (mut trail, c, b) = tree();
        let mut living = [c, b];
        trail.forget_dead(living.iter_mut());
        assert_eq!(trail.take_shared(living.iter_mut()), vec!['a', 'b']);
        assert_eq!(trail.steps_to(living[0]), vec!['c']);
        assert_eq!(trail.steps_to(living[1]), Vec::<char>::new());
    }

    #[test]
    fn descendants_of_the_middle() {
        let (trail, c, b) = tree();
        assert_eq!(trail.middle_of(c), b);
        assert_eq!(trail.descendants(b), vec![false, true, true, true]);
        assert_eq!(trail.descendants(c), vec![false, false, false, true]);
    }
}
