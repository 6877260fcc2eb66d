//! Structures that C reads, with the memory of their texts and arrays; a list of texts is one.

use std::any::Any;
use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::Arc;

use crate::handles::Kind;
use crate::memory::give;
use crate::status::c_text;

/// A list of texts. Free it with `alfil_texts_free`. It is part of other structures: no version has more fields.
#[repr(C)]
#[derive(Debug)]
pub struct Texts {
    /// The number of texts.
    pub count: usize,
    /// The texts; they belong to the list.
    pub items: *const *const c_char,
}

/// The memory of the texts and arrays of a structure.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    texts: Vec<CString>,
    arrays: Vec<Box<dyn Any>>,
}

impl Arena {
    pub(crate) fn text(&mut self, text: &str) -> *const c_char {
        let text = c_text(text);
        let address = text.as_ptr();
        self.texts.push(text);
        address
    }

    pub(crate) fn optional_text(&mut self, text: Option<&str>) -> *const c_char {
        text.map_or(ptr::null(), |text| self.text(text))
    }

    pub(crate) fn array<T: 'static>(&mut self, items: Vec<T>) -> *const T {
        if items.is_empty() {
            return ptr::null();
        }
        let address = items.as_ptr();
        self.arrays.push(Box::new(items));
        address
    }

    /// Returns an array of pointers to the items: C finds each of them whatever the size of an item is in its header.
    pub(crate) fn pointers<T: 'static>(&mut self, items: Vec<T>) -> *const *const T {
        let addresses = items.iter().map(ptr::from_ref).collect();
        self.arrays.push(Box::new(items));
        self.array(addresses)
    }

    pub(crate) fn texts<T: AsRef<str>>(&mut self, texts: impl IntoIterator<Item = T>) -> Texts {
        let items: Vec<_> = texts.into_iter().map(|text| self.text(text.as_ref())).collect();
        Texts { count: items.len(), items: self.array(items) }
    }
}

/// A structure with its memory. The structure is first, so that both have one address.
#[repr(C)]
struct Owned<V> {
    view: V,
    _arena: Arena,
}

/// Gives C a structure with its memory.
pub(crate) fn give_owned<V: 'static>(
    view: V,
    arena: Arena,
    kind: Kind,
    object: Arc<dyn Any + Send + Sync>,
) -> *const V {
    give(Owned { view, _arena: arena }, kind, object).cast_const().cast()
}

/// Gives C a list of texts.
pub(crate) fn give_texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> *const Texts {
    let mut arena = Arena::default();
    let view = arena.texts(texts);
    give_owned(view, arena, Kind::Texts, Arc::new(()))
}
