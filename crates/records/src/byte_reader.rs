//! Reads numbers and texts from the bytes of a binary file.

/// Reads the bytes of a binary file one after another. Integers are little-endian.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ByteReader<'a> {
    /// Begins at a byte, which may lie behind the end.
    pub(crate) fn from_offset(bytes: &'a [u8], at: usize) -> Self {
        ByteReader { bytes, at }
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
    pub(crate) fn read_rest(&mut self) -> &'a [u8] {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at = self.at.max(self.bytes.len());
        rest
    }

    pub(crate) fn read_array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(crate) fn read_u16(&mut self) -> Option<u16> {
        self.read_array().map(u16::from_le_bytes)
    }

    pub(crate) fn read_u32(&mut self) -> Option<u32> {
        self.read_array().map(u32::from_le_bytes)
    }
}
