//! The objects of one kind that JavaScript holds, by their numbers.

use std::collections::BTreeMap;

use crate::errors::{Code, Error};

/// The objects of one kind. A number is never used again, so that one that was disposed is an error.
#[derive(Debug)]
pub(crate) struct ObjectTable<T> {
    objects: BTreeMap<u32, T>,
    last: u32,
}

impl<T> Default for ObjectTable<T> {
    fn default() -> Self {
        ObjectTable { objects: BTreeMap::new(), last: 0 }
    }
}

impl<T> ObjectTable<T> {
    /// Adds an object and returns its number.
    pub(crate) fn add(&mut self, object: T) -> Result<u32, Error> {
        let number = self.last.checked_add(1);
        self.last = number.ok_or_else(|| Error::new(Code::Memory, "too many objects were made"))?;
        self.objects.insert(self.last, object);
        Ok(self.last)
    }

    /// Returns the object of a number.
    pub(crate) fn get(&mut self, number: u32) -> Result<&mut T, Error> {
        self.objects.get_mut(&number).ok_or_else(|| Error::new(Code::Disposed, "the object was disposed"))
    }

    pub(crate) fn remove(&mut self, number: u32) {
        self.objects.remove(&number);
    }

    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }
}
