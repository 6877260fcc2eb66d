//! The objects of one kind that JavaScript holds, by their numbers.

use crate::errors::{Code, Error};

/// The objects of one kind. A number is never used again, so that one that was disposed is an error.
///
/// Numbers grow, so that a list finds them by a binary search. It is downloaded in a fraction of the bytes of a tree.
#[derive(Debug)]
pub(crate) struct ObjectTable<T> {
    /// The objects in the order of their numbers; none where one was removed.
    objects: Vec<(u32, Option<T>)>,
    /// The number of objects that were not removed.
    live: usize,
    last: u32,
}

impl<T> Default for ObjectTable<T> {
    fn default() -> Self {
        ObjectTable { objects: Vec::new(), live: 0, last: 0 }
    }
}

impl<T> ObjectTable<T> {
    /// Adds an object and returns its number.
    pub(crate) fn add(&mut self, object: T) -> Result<u32, Error> {
        let number = self.last.checked_add(1);
        self.last = number.ok_or_else(|| Error::new(Code::Memory, "too many objects were made"))?;
        self.objects.push((self.last, Some(object)));
        self.live += 1;
        Ok(self.last)
    }

    /// Returns the place of a number.
    fn place(&mut self, number: u32) -> Option<&mut Option<T>> {
        let index = self.objects.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        self.objects.get_mut(index).map(|(_, object)| object)
    }

    /// Returns the object of a number.
    pub(crate) fn get(&mut self, number: u32) -> Result<&mut T, Error> {
        let object = self.place(number).and_then(Option::as_mut);
        object.ok_or_else(|| Error::new(Code::Disposed, "the object was disposed"))
    }

    pub(crate) fn remove(&mut self, number: u32) {
        let Some(_object) = self.place(number).and_then(Option::take) else { return };
        self.live -= 1;
        // Each removal moves two objects on average, however many there are.
        if self.objects.len() > 2 * self.live + 16 {
            self.objects.retain(|(_, object)| object.is_some());
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.live
    }
}
