//! The memory that C and Rust share: parameters from C, and what C is given. All unsafe blocks of the crate are here.
//!
//! The types [`Text`], [`Out`], [`In`] and [`Items`] are pointers as C passes them. Their fields are private and they
//! have no constructor, so that safe Rust cannot make one: every value comes from a C caller, who promises what the
//! header says of its pointers. That promise is what the blocks below rely on.

#![allow(unsafe_code)]

use std::any::Any;
use std::ffi::{CStr, c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::Arc;

use crate::handles::{self, Kind};
use crate::status::{Error, Status, c_text};

fn null(name: &str) -> Error {
    Error::new(Status::NullPointer, format!("{name} is NULL"))
}

/// A text from C: UTF-8, ended by a NUL, or NULL.
#[repr(transparent)]
#[derive(Debug)]
pub struct Text(*const c_char);

impl Text {
    /// Returns the text; none for NULL.
    ///
    /// # Errors
    /// Returns an error if it is not UTF-8.
    pub(crate) fn optional(&self, name: &str) -> Result<Option<&str>, Error> {
        if self.0.is_null() {
            return Ok(None);
        }
        // SAFETY: the caller in C passes a string that ends with a NUL and that does not change during the call; the
        // borrow of `self` ends with the call.
        let text = unsafe { CStr::from_ptr(self.0) };
        text.to_str().map(Some).map_err(|error| {
            let place = error.valid_up_to();
            Error::new(Status::NotUtf8, format!("{name}: invalid UTF-8 at byte {place}"))
        })
    }

    /// Returns the text.
    ///
    /// # Errors
    /// Returns an error if it is NULL or not UTF-8.
    pub(crate) fn required(&self, name: &str) -> Result<&str, Error> {
        self.optional(name)?.ok_or_else(|| null(name))
    }
}

/// A place of C for a result, or NULL.
#[repr(transparent)]
#[derive(Debug)]
pub struct Out<T>(*mut T);

impl<T: Copy> Out<T> {
    /// Writes the value of a call that fails, so that no caller reads what was there before.
    ///
    /// # Errors
    /// Returns an error if the place is NULL.
    pub(crate) fn start(self, name: &str, value: T) -> Result<Place<T>, Error> {
        if self.0.is_null() {
            return Err(null(name));
        }
        Ok(self.start_optional(value))
    }

    /// As [`Out::start`]; what is written to NULL is dropped.
    pub(crate) fn start_optional(self, value: T) -> Place<T> {
        let place = Place(self.0);
        place.set(value);
        place
    }

    /// Returns an array of the caller.
    pub(crate) fn array(self, capacity: usize) -> Array<T> {
        Array { start: self.0, capacity }
    }
}

/// A place of C that was checked.
#[derive(Debug)]
pub(crate) struct Place<T>(*mut T);

impl<T: Copy> Place<T> {
    /// Returns whether the caller wants the value.
    pub(crate) fn is_wanted(&self) -> bool {
        !self.0.is_null()
    }

    /// Writes the value.
    pub(crate) fn set(&self, value: T) {
        if !self.0.is_null() {
            // SAFETY: the caller in C passes NULL, which is excluded, or a place for one value that it does not use
            // during the call. `write_unaligned` and a `T` without a destructor demand nothing of its contents.
            unsafe { self.0.write_unaligned(value) };
        }
    }
}

/// An array of C for results.
#[derive(Debug)]
pub(crate) struct Array<T> {
    start: *mut T,
    capacity: usize,
}

impl<T: Copy> Array<T> {
    /// Writes as many of the values as there are places.
    ///
    /// # Errors
    /// Returns an error if there are places, but at NULL.
    pub(crate) fn fill(&self, name: &str, values: &[T]) -> Result<(), Error> {
        let count = values.len().min(self.capacity);
        if self.start.is_null() {
            return if self.capacity == 0 { Ok(()) } else { Err(null(name)) };
        }
        // SAFETY: the caller in C passes an array of `capacity` places that it does not use during the call, and no
        // more than `capacity` values are copied. It cannot overlap `values`, which is memory of this library.
        unsafe { ptr::copy_nonoverlapping(values.as_ptr(), self.start, count) };
        Ok(())
    }
}

/// A structure that C fills. Its first field is its size, so that later versions can have more fields at its end; all
/// its fields are integers and the pointer types of this module, for which all bits are valid.
pub(crate) trait Extensible {
    /// The name of the parameter.
    const NAME: &str;
    /// The macro with which a structure begins.
    const INITIALIZER: &str;
}

/// The largest size that a structure of C may have, so that a size that was never set is found.
const MAX_STRUCTURE_SIZE: usize = 4096;

/// A structure of numbers and texts that C passes, or NULL.
#[repr(transparent)]
#[derive(Debug)]
pub struct In<T>(*const T);

impl<T> In<T> {
    /// Returns a copy of the structure; none for NULL. Fields that the caller does not have are 0.
    ///
    /// # Errors
    /// Returns an error if the size is not set, or if a field that this version does not have is not 0.
    pub(crate) fn optional(&self) -> Result<Option<T>, Error>
    where
        T: Extensible,
    {
        if self.0.is_null() {
            return Ok(None);
        }
        let start = self.0.cast::<u8>();
        // SAFETY: the caller in C passes NULL, which is excluded, or a structure whose first field is its size and that
        // does not change during the call.
        let size = unsafe { start.cast::<usize>().read_unaligned() };
        let (name, known) = (T::NAME, size_of::<T>());
        if !(size_of::<usize>()..=MAX_STRUCTURE_SIZE).contains(&size) {
            let message = format!("{name}->size is {size}: begin with {}", T::INITIALIZER);
            return Err(Error::argument(message));
        }
        // SAFETY: the structure of the caller has this size.
        let bytes = unsafe { std::slice::from_raw_parts(start, size) };
        if bytes.iter().skip(known).any(|byte| *byte != 0) {
            let version = env!("CARGO_PKG_VERSION");
            let message = format!("{name} has a field that version {version} of the library does not know");
            return Err(Error::argument(message));
        }
        let mut value = MaybeUninit::<T>::zeroed();
        // SAFETY: both hold this many bytes, and `value` is memory of this function.
        unsafe { ptr::copy_nonoverlapping(start, value.as_mut_ptr().cast(), size.min(known)) };
        // SAFETY: all bits are valid for the fields of an extensible structure, and all are set.
        Ok(Some(unsafe { value.assume_init() }))
    }
}

/// An array that C passes, or NULL; its length is a parameter of its own.
#[repr(transparent)]
#[derive(Debug)]
pub struct Items<T>(*const T);

impl<T> Items<T> {
    pub(crate) fn is_null(&self) -> bool {
        self.0.is_null()
    }

    /// Returns the items.
    ///
    /// # Errors
    /// Returns an error if there are items, but at NULL, or more than memory can hold.
    pub(crate) fn slice(&self, name: &str, count: usize) -> Result<&[T], Error> {
        if count == 0 {
            return Ok(&[]);
        }
        if self.0.is_null() {
            return Err(null(name));
        }
        if count.checked_mul(size_of::<T>()).is_none_or(|bytes| isize::try_from(bytes).is_err()) {
            return Err(Error::argument(format!("{name}: {count} items are more than memory can hold")));
        }
        // SAFETY: the caller in C passes an array of `count` items that does not change during the call, and the size
        // was checked. The items are integers or pointers, for which all bits are valid.
        Ok(unsafe { std::slice::from_raw_parts(self.0, count) })
    }
}

/// Gives C a value of its own, with the object that belongs to it.
pub(crate) fn give<V: 'static>(value: V, kind: Kind, object: Arc<dyn Any + Send + Sync>) -> *mut V {
    let address = Box::into_raw(Box::new(value));
    let release = |address: *mut c_void| {
        // SAFETY: the table holds an address from `Box::into_raw` above with this closure, and calls it when the
        // address is removed, hence once. `address` is the pointer that C was given, of a `V`.
        drop(unsafe { Box::from_raw(address.cast::<V>()) });
    };
    handles::insert(address.cast(), kind, object, Box::new(release));
    address
}

/// Gives C a text of its own.
pub(crate) fn give_text(text: &str) -> *mut c_char {
    let bytes = c_text(text).into_bytes_with_nul().into_boxed_slice();
    let length = bytes.len();
    let address = Box::into_raw(bytes).cast::<c_char>();
    let release = move |address: *mut c_void| {
        let bytes = ptr::slice_from_raw_parts_mut(address.cast::<u8>(), length);
        // SAFETY: as in `give`; the length is that of the boxed slice, whatever the caller wrote into it.
        drop(unsafe { Box::from_raw(bytes) });
    };
    handles::insert(address.cast(), Kind::Text, Arc::new(()), Box::new(release));
    address
}
