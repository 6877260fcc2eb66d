//! Packed files: gzip, Zstandard, bzip2, xz and ZIP are recognised by their content and read as streams; gzip and
//! Zstandard are written, by the ending of the file's name. The codecs are there with the feature `compression`.

#[cfg(feature = "compression")]
mod zip;

use std::fmt;
use std::io::ErrorKind;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use alfil_records::FileFormat;

#[cfg(feature = "compression")]
pub(crate) use zip::{ArchivedFile, ZipArchive};

/// The number of bytes that say how a file is packed.
const MAGIC_BYTES: u64 = 6;
/// The memory that reading a file of xz may take: the greatest setting of the program `xz` takes 65 MiB.
#[cfg(feature = "compression")]
const MAX_XZ_BYTES: u64 = 256 << 20;
/// The setting of Zstandard: that of its program, which is fast.
#[cfg(feature = "compression")]
const ZSTD_LEVEL: i32 = 3;

/// The bytes of a file.
pub(crate) type ByteInput = Box<dyn Read + Send>;

/// What a file holds.
pub(crate) enum Unpacked {
    /// The bytes of one file, and what is wrong with its packing once its end is reached.
    File(ByteInput, Damage),
    /// Several files.
    #[cfg(feature = "compression")]
    Archive(ZipArchive),
}

/// The damage that ended a packed file before its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Damage(Arc<Mutex<Option<DamagedAt>>>);

/// Where a packed file is damaged.
#[derive(Clone, Debug)]
pub(crate) struct DamagedAt {
    /// The number of bytes that were unpacked before.
    pub(crate) byte: u64,
    /// What is wrong.
    pub(crate) what: String,
}

impl Damage {
    /// Returns the damage that was met so far.
    pub(crate) fn found(&self) -> Option<DamagedAt> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    #[cfg(feature = "compression")]
    fn set(&self, damage: DamagedAt) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(damage);
    }
}

/// Unpacks an input, if it is packed and the codecs are there.
///
/// # Errors
/// Returns the errors of the input.
pub(crate) fn unpack(mut input: ByteInput) -> io::Result<Unpacked> {
    let mut head = Vec::new();
    input.by_ref().take(MAGIC_BYTES).read_to_end(&mut head)?;
    let packing = Packing::of_bytes(&head);
    let input: ByteInput = Box::new(Cursor::new(head).chain(input));
    match packing {
        Some(packing) => packing.unpack(input),
        None => Ok(Unpacked::File(input, Damage::default())),
    }
}

/// A way in which files are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Zip,
}

impl Packing {
    /// The endings of names.
    const ENDINGS: [(&str, Packing); 5] = [
        ("gz", Packing::Gzip),
        ("zst", Packing::Zstd),
        ("bz2", Packing::Bzip2),
        ("xz", Packing::Xz),
        ("zip", Packing::Zip),
    ];

    fn of_bytes(head: &[u8]) -> Option<Packing> {
        // Files of Zstandard may begin with a frame that is skipped.
        if let [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] = head {
            return Some(Packing::Zstd);
        }
        // An archive without files has only its directory.
        if head.starts_with(b"PK\x05\x06") {
            return Some(Packing::Zip);
        }
        match FileFormat::detect(head)? {
            FileFormat::Gzip => Some(Packing::Gzip),
            FileFormat::Zstd => Some(Packing::Zstd),
            FileFormat::Bzip2 => Some(Packing::Bzip2),
            FileFormat::Xz => Some(Packing::Xz),
            FileFormat::Zip => Some(Packing::Zip),
            _ => None,
        }
    }

    /// Returns how a file is packed whose name has this ending.
    pub(crate) fn of_name(path: &Path) -> Option<Packing> {
        let ending = path.extension()?;
        let row = Packing::ENDINGS.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known))?;
        Some(row.1)
    }

    /// Returns whether files are read that are packed in this way.
    pub(crate) fn is_read(self) -> bool {
        cfg!(feature = "compression")
    }

    /// Returns a packer; `None` if no files are written in this way.
    pub(crate) fn packer(self) -> io::Result<Option<Packer>> {
        #[cfg(feature = "compression")]
        let packer = match self {
            Packing::Gzip => {
                let level = flate2::Compression::default();
                Some(Packer::Gzip(flate2::write::GzEncoder::new(Vec::new(), level)))
            }
            Packing::Zstd => Some(Packer::Zstd(zstd::stream::write::Encoder::new(Vec::new(), ZSTD_LEVEL)?)),
            Packing::Bzip2 | Packing::Xz | Packing::Zip => None,
        };
        #[cfg(not(feature = "compression"))]
        let packer = None;
        Ok(packer)
    }

    #[cfg(feature = "compression")]
    fn unpack(self, input: ByteInput) -> io::Result<Unpacked> {
        let (name, unpacked): (_, ByteInput) = match self {
            Packing::Gzip => ("gzip", Box::new(flate2::read::MultiGzDecoder::new(input))),
            Packing::Zstd => ("Zstandard", Box::new(zstd::stream::read::Decoder::new(input)?)),
            Packing::Bzip2 => ("bzip2", Box::new(bzip2::read::MultiBzDecoder::new(input))),
            Packing::Xz => {
                let flags = liblzma::stream::CONCATENATED;
                let stream = liblzma::stream::Stream::new_stream_decoder(MAX_XZ_BYTES, flags)?;
                ("xz", Box::new(liblzma::read::XzDecoder::new_stream(input, stream)))
            }
            Packing::Zip => return Ok(Unpacked::Archive(ZipArchive::new(input))),
        };
        Ok(undamaged(name, unpacked))
    }

    /// Without codecs a packed file is read as it is, and is a file of a format without games.
    #[cfg(not(feature = "compression"))]
    fn unpack(self, input: ByteInput) -> io::Result<Unpacked> {
        Ok(Unpacked::File(input, Damage::default()))
    }
}

/// Returns an input that ends where the unpacked bytes are damaged.
#[cfg(feature = "compression")]
fn undamaged(packing: &'static str, input: ByteInput) -> Unpacked {
    let damage = Damage::default();
    let part = UndamagedPart { input: Some(input), packing, bytes: 0, damage: damage.clone() };
    Unpacked::File(Box::new(part), damage)
}

/// The bytes before the damage.
#[cfg(feature = "compression")]
struct UndamagedPart {
    input: Option<ByteInput>,
    packing: &'static str,
    bytes: u64,
    damage: Damage,
}

#[cfg(feature = "compression")]
impl Read for UndamagedPart {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(input) = &mut self.input else { return Ok(0) };
        match input.read(buffer) {
            Ok(read) => {
                self.bytes += read as u64;
                Ok(read)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let what = match error.kind() {
                    ErrorKind::UnexpectedEof => format!("the {} data are cut off here", self.packing),
                    _ => format!("the {} data are damaged here: {error}", self.packing),
                };
                self.damage.set(DamagedAt { byte: self.bytes, what });
                self.input = None;
                Ok(0)
            }
        }
    }
}

/// Packs the bytes of a file.
pub(crate) enum Packer {
    #[cfg(feature = "compression")]
    Gzip(flate2::write::GzEncoder<Vec<u8>>),
    #[cfg(feature = "compression")]
    Zstd(zstd::stream::write::Encoder<'static, Vec<u8>>),
}

impl fmt::Debug for Packer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Packer")
    }
}

#[cfg(feature = "compression")]
impl Packer {
    /// Packs the next bytes of the file; returns what is to be written so far.
    pub(crate) fn pack(&mut self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        use std::io::Write as _;

        let packed = match self {
            Packer::Gzip(encoder) => {
                encoder.write_all(bytes)?;
                encoder.get_mut()
            }
            Packer::Zstd(encoder) => {
                encoder.write_all(bytes)?;
                encoder.get_mut()
            }
        };
        Ok(std::mem::take(packed))
    }

    /// Returns the last bytes of the file.
    pub(crate) fn finish(self) -> io::Result<Vec<u8>> {
        match self {
            Packer::Gzip(encoder) => encoder.finish(),
            Packer::Zstd(encoder) => encoder.finish(),
        }
    }
}

/// Without codecs there is no packer.
#[cfg(not(feature = "compression"))]
impl Packer {
    pub(crate) fn pack(&mut self, _: &[u8]) -> io::Result<Vec<u8>> {
        match *self {}
    }

    pub(crate) fn finish(self) -> io::Result<Vec<u8>> {
        match self {}
    }
}

/// Reads a whole file, unpacked if it is packed.
///
/// ```no_run
/// let bytes = alfil_batch::packing::read_unpacked(std::fs::File::open("games.pgn.gz")?)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Returns the errors of the input, and an error if it is damaged or an archive of several files.
pub fn read_unpacked(input: impl Read + Send + 'static) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match unpack(Box::new(input))? {
        Unpacked::File(mut input, damage) => {
            input.read_to_end(&mut bytes)?;
            match damage.found() {
                None => Ok(bytes),
                Some(DamagedAt { byte, what }) => {
                    Err(io::Error::new(ErrorKind::InvalidData, format!("byte {byte}: {what}")))
                }
            }
        }
        #[cfg(feature = "compression")]
        Unpacked::Archive(_) => {
            Err(io::Error::new(ErrorKind::InvalidData, "it is a ZIP archive: unpack it first"))
        }
    }
}

#[cfg(all(test, feature = "compression"))]
mod tests;
