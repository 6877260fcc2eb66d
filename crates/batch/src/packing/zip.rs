//! ZIP archives as streams: the files come in the order in which they are in the archive, and its directory at the end
//! is not needed, so that an archive that is cut off gives the files before.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flate2::{Decompress, FlushDecompress, Status};

use super::{ByteInput, Unpacked, undamaged};

const LOCAL_HEADER: u32 = 0x0403_4b50;
const DESCRIPTOR: u32 = 0x0807_4b50;
/// The signatures after the last file: the directory, also of archives without files, and what may precede it.
const DIRECTORIES: [u32; 4] = [0x0201_4b50, 0x0605_4b50, 0x0606_4b50, 0x0806_4b50];

/// The flags of a file: encrypted; lengths after the data; a name in UTF-8.
const ENCRYPTED: u16 = 1;
const LENGTHS_FOLLOW: u16 = 1 << 3;

/// The lengths of a file that are in an extra field.
const LONG: u32 = u32::MAX;

/// An archive that is read from its beginning.
pub(crate) struct ZipArchive(Arc<Mutex<ZipStream>>);

/// A file of an archive.
pub(crate) struct ArchivedFile {
    pub(crate) name: String,
    pub(crate) contents: Unpacked,
}

struct ZipStream {
    input: BufReader<ByteInput>,
    /// The file that is being read.
    current: Option<Entry>,
    /// The signature after the last file, if it is read already.
    signature: Option<u32>,
}

struct Entry {
    data: Data,
    crc: crc32fast::Hasher,
    /// The checksum, if it is known before the data.
    expected_crc: Option<u32>,
    /// Whether all data are read, and whether the checksum was compared, too.
    is_unpacked: bool,
    is_at_end: bool,
}

enum Data {
    /// So many bytes follow as they are.
    Stored(u64),
    /// So many bytes follow that cannot be read, and why, until this is said.
    Unread(u64, Option<io::Error>),
    Deflated(Box<Decompress>),
}

impl ZipArchive {
    pub(crate) fn new(input: ByteInput) -> ZipArchive {
        ZipArchive(Arc::new(Mutex::new(ZipStream {
            input: BufReader::new(input),
            current: None,
            signature: None,
        })))
    }

    /// Returns the next file; `None` at the end.
    ///
    /// # Errors
    /// If the archive is damaged, or a file of an unknown length is encrypted or packed in another way than by deflate.
    pub(crate) fn next_file(&mut self) -> io::Result<Option<ArchivedFile>> {
        let Some(name) = lock(&self.0).next_header()? else { return Ok(None) };
        let contents = Box::new(ArchivedBytes(self.0.clone()));
        Ok(Some(ArchivedFile { name, contents: undamaged("ZIP", contents) }))
    }
}

/// The bytes of the current file.
struct ArchivedBytes(Arc<Mutex<ZipStream>>);

impl Read for ArchivedBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        lock(&self.0).read(buffer)
    }
}

fn lock(stream: &Mutex<ZipStream>) -> MutexGuard<'_, ZipStream> {
    stream.lock().unwrap_or_else(PoisonError::into_inner)
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what.to_owned())
}

impl ZipStream {
    /// Reads up to the data of the next file; returns its name.
    fn next_header(&mut self) -> io::Result<Option<String>> {
        loop {
            self.skip_rest()?;
            let signature = match self.signature.take() {
                Some(signature) => signature,
                None => self.read_u32()?,
            };
            if DIRECTORIES.contains(&signature) {
                return Ok(None);
            }
            if signature != LOCAL_HEADER {
                return Err(invalid("there is no file where one should begin"));
            }
            let [_version, flags, method, _time, _date] = self.read_u16s()?;
            let [crc, packed, length] = [self.read_u32()?, self.read_u32()?, self.read_u32()?];
            let [name_length, extra_length] = self.read_u16s()?;
            let name = self.read_bytes(name_length.into())?;
            let extra = self.read_bytes(extra_length.into())?;
            let name = String::from_utf8_lossy(&name).into_owned();
            let unread = |what: &str| io::Error::new(ErrorKind::Unsupported, format!("{name}: {what}"));
            let lengths_follow = flags & LENGTHS_FOLLOW != 0;
            let packed = match packed {
                _ if lengths_follow => None,
                _ if packed == LONG || length == LONG => long_length(&extra),
                packed => Some(packed.into()),
            };
            let data = match (method, packed) {
                (8, _) if flags & ENCRYPTED == 0 => Data::Deflated(Box::new(Decompress::new(false))),
                (_, None) => return Err(unread("the length of the file is not known")),
                (0, Some(packed)) if flags & ENCRYPTED == 0 => Data::Stored(packed),
                (_, Some(packed)) if flags & ENCRYPTED != 0 => {
                    Data::Unread(packed, Some(unread("the file is encrypted")))
                }
                (_, Some(packed)) => {
                    Data::Unread(packed, Some(unread(&format!("the packing method {method} is not read"))))
                }
            };
            let expected_crc = (!lengths_follow).then_some(crc);
            let crc = crc32fast::Hasher::new();
            self.current = Some(Entry { data, crc, expected_crc, is_unpacked: false, is_at_end: false });
            // A folder has no data.
            if !name.ends_with('/') {
                return Ok(Some(name));
            }
        }
    }

    /// Goes to the end of the current file. If the end of a file is not read, its checksum is not compared.
    fn skip_rest(&mut self) -> io::Result<()> {
        let mut rest = [0; 1 << 14];
        while let Some(entry) = self.current.as_mut().filter(|entry| !entry.is_at_end) {
            if let Data::Unread(_, why) = &mut entry.data {
                *why = None;
            }
            match self.read(&mut rest) {
                Ok(_) => {}
                Err(_) if self.current.as_ref().is_some_and(|entry| entry.is_at_end) => break,
                Err(error) => return Err(error),
            }
        }
        self.current = None;
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ZipStream { input, current: Some(entry), .. } = self else { return Ok(0) };
        if entry.is_at_end || buffer.is_empty() {
            return Ok(0);
        }
        if entry.is_unpacked {
            // What was read is used before the checksum is compared.
            entry.is_at_end = true;
            return self.check_crc().map(|()| 0);
        }
        let (read, is_unpacked) = match &mut entry.data {
            Data::Stored(0) => (0, true),
            Data::Stored(left) => {
                let length = buffer.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                let read = input.read(&mut buffer[..length])?;
                if read == 0 {
                    return Err(ErrorKind::UnexpectedEof.into());
                }
                *left -= read as u64;
                (read, *left == 0)
            }
            Data::Deflated(inflater) => inflate(input, inflater, buffer)?,
            Data::Unread(_, why @ Some(_)) => return Err(why.take().expect("it was there")),
            Data::Unread(left, None) => {
                let skipped = io::copy(&mut input.by_ref().take(*left), &mut io::sink())?;
                entry.is_at_end = true;
                return if skipped == *left { Ok(0) } else { Err(ErrorKind::UnexpectedEof.into()) };
            }
        };
        entry.crc.update(&buffer[..read]);
        entry.is_unpacked = is_unpacked;
        if read == 0 && is_unpacked {
            return self.read(buffer);
        }
        Ok(read)
    }

    /// Reads what follows the data of a file, and compares the checksum.
    fn check_crc(&mut self) -> io::Result<()> {
        let Some(entry) = &mut self.current else { return Ok(()) };
        let found = std::mem::take(&mut entry.crc).finalize();
        let expected = match entry.expected_crc {
            Some(crc) => crc,
            None => self.read_descriptor()?,
        };
        if found == expected { Ok(()) } else { Err(invalid("the checksum is wrong")) }
    }

    /// Reads the checksum and the lengths after the data; returns the checksum. The signature before them may be
    /// missing, and the lengths may have eight bytes each.
    fn read_descriptor(&mut self) -> io::Result<u32> {
        let mut crc = self.read_u32()?;
        if crc == DESCRIPTOR {
            crc = self.read_u32()?;
        }
        self.read_bytes(8)?;
        // Four bytes that are no signature belong to longer lengths.
        match self.read_u32() {
            Ok(next) if next == LOCAL_HEADER || DIRECTORIES.contains(&next) => self.signature = Some(next),
            Ok(_) => drop(self.read_bytes(4)?),
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {}
            Err(error) => return Err(error),
        }
        Ok(crc)
    }

    fn read_bytes(&mut self, count: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.input.by_ref().take(count).read_to_end(&mut bytes)?;
        if bytes.len() as u64 == count { Ok(bytes) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }

    fn read_u32(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.input.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn read_u16s<const N: usize>(&mut self) -> io::Result<[u16; N]> {
        let mut values = [0; N];
        for value in &mut values {
            let mut bytes = [0; 2];
            self.input.read_exact(&mut bytes)?;
            *value = u16::from_le_bytes(bytes);
        }
        Ok(values)
    }
}

/// Unpacks the next bytes; returns their number and whether the data end.
fn inflate(
    input: &mut BufReader<ByteInput>,
    inflater: &mut Decompress,
    buffer: &mut [u8],
) -> io::Result<(usize, bool)> {
    loop {
        let packed = input.fill_buf()?;
        let is_input_empty = packed.is_empty();
        let (read_before, written_before) = (inflater.total_in(), inflater.total_out());
        let status = inflater.decompress(packed, buffer, FlushDecompress::None);
        let status = status.map_err(|error| invalid(&error.to_string()))?;
        input.consume((inflater.total_in() - read_before) as usize);
        let written = (inflater.total_out() - written_before) as usize;
        match status {
            Status::StreamEnd => return Ok((written, true)),
            _ if written > 0 => return Ok((written, false)),
            _ if is_input_empty => return Err(ErrorKind::UnexpectedEof.into()),
            _ => {}
        }
    }
}

/// Returns the packed length of a stored file from its extra fields: that of the field with the number 1, which has the
/// unpacked length before it.
fn long_length(mut extra: &[u8]) -> Option<u64> {
    while let [id_low, id_high, size_low, size_high, rest @ ..] = extra {
        let size = usize::from(u16::from_le_bytes([*size_low, *size_high]));
        let field = rest.get(..size)?;
        if u16::from_le_bytes([*id_low, *id_high]) == 1 {
            return Some(u64::from_le_bytes(field.get(..8)?.try_into().ok()?));
        }
        extra = &rest[size..];
    }
    None
}
