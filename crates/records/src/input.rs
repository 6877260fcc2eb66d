//! Reads numbers and texts from the bytes of a binary file.

/// A place in a binary file. Integers are little-endian.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    /// Begins at a byte, which may lie behind the end.
    pub(crate) fn at(bytes: &'a [u8], at: usize) -> Self {
        Input { bytes, at }
    }

    /// Returns the offset of the next byte.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Returns the next bytes; `None`, without a change, if there are fewer.
    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    /// Returns all bytes that are left.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at = self.at.max(self.bytes.len());
        rest
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }
}
