//! Packed files are read by their content, damaged ones up to the damage, and written by their names.

use std::fs;
use std::io::{self, Read, Write as _};
use std::path::Path;

use super::*;
use crate::conversion::{Conversion, ConversionSettings};
use crate::source::{Source, SourceItem, SourceOptions};

fn pgn(games: usize) -> String {
    (1..=games).map(|number| format!("[Round \"{number}\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n")).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 6);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns an archive of one file of each pair. `lengths_follow` says whether the lengths are after the data, as in an
/// archive that was written as a stream.
fn zip(files: &[(&str, &[u8])], is_deflated: bool, lengths_follow: bool) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, bytes) in files {
        let data = if is_deflated {
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        } else {
            bytes.to_vec()
        };
        let crc = crc32fast::hash(bytes);
        let sums = [crc, data.len() as u32, bytes.len() as u32];
        archive.extend(0x0403_4b50_u32.to_le_bytes());
        let flags = if lengths_follow { 8_u16 } else { 0 };
        let method = if is_deflated { 8_u16 } else { 0 };
        archive.extend([20, flags, method, 0, 0].into_iter().flat_map(u16::to_le_bytes));
        let known = if lengths_follow { [0; 3] } else { sums };
        archive.extend(known.into_iter().flat_map(u32::to_le_bytes));
        archive.extend([name.len() as u16, 0].into_iter().flat_map(u16::to_le_bytes));
        archive.extend(name.as_bytes());
        archive.extend(data);
        if lengths_follow {
            archive.extend(0x0807_4b50_u32.to_le_bytes());
            archive.extend(sums.into_iter().flat_map(u32::to_le_bytes));
        }
    }
    archive.extend(0x0605_4b50_u32.to_le_bytes());
    archive.extend([0; 18]);
    archive
}

/// Reads a file; returns the numbers of its games with the names of their files, and the faults.
fn read(bytes: &[u8]) -> (Vec<(String, u64)>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, bytes).unwrap();
    let prefix = format!("{}", path.display());
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for item in Source::open(std::slice::from_ref(&path), &SourceOptions::default()).unwrap() {
        match item {
            SourceItem::Game(game) => {
                games.push((game.place.file.replace(&prefix, "x"), game.place.number));
            }
            SourceItem::Fault(fault) => faults.push(fault.to_string().replace(&prefix, "x")),
        }
    }
    (games, faults)
}

fn numbered(file: &str, games: u64) -> Vec<(String, u64)> {
    (1..=games).map(|number| (file.to_owned(), number)).collect()
}

type Pack = fn(&[u8]) -> Vec<u8>;

const PACKINGS: [Pack; 4] = [gzip, zstd, bzip2, xz];

#[test]
fn packed_files_are_read_by_their_content() {
    let text = pgn(20_000);
    for pack in PACKINGS {
        assert_eq!(read(&pack(text.as_bytes())), (numbered("x", 20_000), vec![]));
        // Packed parts that follow each other are one text.
        let (first, second) = text.split_at(text.len() / 3);
        let parts = [pack(first.as_bytes()), pack(b""), pack(second.as_bytes())].concat();
        assert_eq!(read(&parts), (numbered("x", 20_000), vec![]));
        assert_eq!(read(&pack(b"")), (vec![], vec![]));
    }
    // A frame of Zstandard that is skipped, before the others.
    let skipped = [&b"\x50\x2a\x4d\x18\x03\0\0\0abc"[..], &zstd(text.as_bytes())].concat();
    assert_eq!(read(&skipped), (numbered("x", 20_000), vec![]));
}

#[test]
fn the_files_of_an_archive_are_read_in_their_order() {
    let (one, two) = (pgn(3_000), pgn(2));
    let files = [
        ("a/", &b""[..]),
        ("a/one.pgn", one.as_bytes()),
        ("picture.jpg", b"\xff\xd8"),
        ("two.PGN", two.as_bytes()),
    ];
    let expected = [numbered("x/a/one.pgn", 3_000), numbered("x/two.PGN", 2)].concat();
    for (is_deflated, lengths_follow) in [(true, false), (true, true), (false, false)] {
        assert_eq!(read(&zip(&files, is_deflated, lengths_follow)), (expected.clone(), vec![]));
    }
    assert_eq!(read(&zip(&[], true, false)), (vec![], vec![]));
    // An archive that is cut off gives the games before.
    let archive = zip(&files, true, false);
    let (games, faults) = read(&archive[..archive.len() / 2]);
    assert!(!games.is_empty() && games[..] == expected[..games.len()], "{}", games.len());
    assert!(faults[0].starts_with("x/a/one.pgn: byte ") && faults[0].contains("cut off"), "{faults:?}");
    // A wrong checksum is seen at the end of its file.
    let mut archive = zip(&files[1..2], false, false);
    let at = archive.iter().rposition(|&byte| byte == b'N').unwrap();
    archive[at] = b'B';
    let (games, faults) = read(&archive);
    assert!(games.len() >= 2_999, "{}", games.len());
    assert!(faults.iter().any(|fault| fault.contains("checksum")), "{faults:?}");
}

/// An input that gives one byte at a time.
struct OneByOne<R>(R);

impl<R: Read> Read for OneByOne<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(1);
        self.0.read(&mut buffer[..length])
    }
}

#[test]
fn the_lengths_after_the_data_are_found_wherever_the_buffer_ends() {
    let one = pgn(3);
    let files = [("one.pgn", one.as_bytes()), ("two.pgn", one.as_bytes())];
    let archive = zip(&files, true, true);
    let mut opened = ZipArchive::new(Box::new(OneByOne(io::Cursor::new(archive))));
    for (name, text) in files {
        let file = opened.next_file().unwrap().unwrap();
        let Unpacked::File(mut contents, damage) = file.contents else { panic!() };
        let mut bytes = Vec::new();
        contents.read_to_end(&mut bytes).unwrap();
        assert!(file.name == name && bytes == text && damage.found().is_none());
    }
    assert!(opened.next_file().unwrap().is_none());
}

#[test]
fn a_file_that_cannot_be_read_does_not_end_its_archive() {
    let (one, two) = (pgn(3), pgn(2));
    let files = [("notes.md", &b"notes"[..]), ("secret.pgn", one.as_bytes()), ("two.pgn", two.as_bytes())];
    let archive = zip(&files, false, false);
    let header_of = |name: &str| {
        let at = archive.windows(name.len()).position(|bytes| bytes == name.as_bytes()).unwrap();
        at - 30
    };
    // The flag of encryption, and the checksum of a file that is no record.
    let mut changed = archive.clone();
    changed[header_of("secret.pgn") + 6] |= 1;
    changed[header_of("notes.md") + 14] ^= 1;
    let (games, faults) = read(&changed);
    assert_eq!(games, numbered("x/two.pgn", 2));
    assert!(faults.len() == 1 && faults[0].contains("secret.pgn: the file is encrypted"), "{faults:?}");
    // Files without the name of a record are named if there is no other.
    let (games, faults) = read(&zip(&files[..1], false, false));
    assert!(games.is_empty() && faults.len() == 1 && faults[0].contains("notes.md"), "{faults:?}");
    let finder = [("__MACOSX/._two.pgn", &b"\0\x05\x16\x07"[..]), ("two.pgn", two.as_bytes())];
    assert_eq!(read(&zip(&finder, false, false)).1, Vec::<String>::new());
}

#[test]
fn a_position_that_is_cut_off_is_no_position() {
    let list = "8/8/8/4k3/8/8/8/4K2R w K - 0 1\n8/8/8/4k3/8/8/8/R3K2R w KQ - 0 1\n";
    let packed = gzip(list.as_bytes());
    assert_eq!(read(&packed).0.len(), 2);
    // The flush makes the first bytes of the text readable from a part of the data.
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    io::Write::write_all(&mut encoder, &list.as_bytes()[..list.len() - 9]).unwrap();
    io::Write::flush(&mut encoder).unwrap();
    let (games, faults) = read(encoder.get_ref());
    assert!(games.len() == 1 && faults.len() == 1, "{games:?} {faults:?}");
}

#[test]
fn a_damaged_tail_gives_the_games_before_it() {
    let text = pgn(20_000);
    let unpacked_games = |text: &[u8]| text.split(|&byte| byte == b'[').count() as u64;
    for pack in PACKINGS {
        let packed = pack(text.as_bytes());
        for length in [packed.len() - 3, packed.len() / 2, 20] {
            let (games, faults) = read(&packed[..length]);
            assert!(games == numbered("x", games.len() as u64), "the games are the first ones");
            assert_eq!(faults.len(), 1, "{faults:?}");
            let byte: usize = faults[0].split(['e', ',']).nth(1).unwrap().trim().parse().unwrap();
            assert!(faults[0].starts_with("x: byte ") && faults[0].contains(" data are "), "{faults:?}");
            // The games before the damage, without the one in which it is.
            let before = &text.as_bytes()[..byte];
            let whole = unpacked_games(before) - 1;
            let is_whole = before.trim_ascii_end().ends_with(b"1-0");
            assert_eq!(games.len() as u64, if is_whole || whole == 0 { whole } else { whole - 1 });
        }
        let mut damaged = packed.clone();
        damaged[packed.len() * 2 / 3] ^= 0x55;
        let (games, faults) = read(&damaged);
        // The checksum may show only at the end that what came after the damage is wrong.
        let before = games.len().min(5_000);
        assert!(games[..before] == numbered("x", before as u64));
        assert!(faults.iter().any(|fault| fault.contains(" data are damaged here: ")), "{faults:?}");
    }
}

#[test]
fn files_are_packed_by_the_endings_of_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.pgn");
    fs::write(&input, pgn(40_000)).unwrap();
    let convert = |name: &str| -> Result<Vec<u8>, String> {
        let out = folder.path().join(name);
        let source = Source::open(std::slice::from_ref(&input), &SourceOptions::default()).unwrap();
        let settings = ConversionSettings::new(FileFormat::Pgn);
        let mut conversion =
            Conversion::new(settings, Some(&out), source.files()).map_err(|error| error.to_string())?;
        source.for_each(|item| conversion.add(item).unwrap());
        assert_eq!(conversion.finish().unwrap().written, 40_000);
        Ok(fs::read(out).unwrap())
    };
    let plain = convert("out.pgn").unwrap();
    for (name, magic) in [("out.pgn.gz", &b"\x1f\x8b"[..]), ("out.pgn.ZST", b"\x28\xb5\x2f\xfd")] {
        let packed = convert(name).unwrap();
        assert!(packed.starts_with(magic) && packed.len() < plain.len() / 4, "{name}");
        assert!(read_unpacked(io::Cursor::new(packed)).unwrap() == plain, "{name}");
    }
    for name in ["out.pgn.xz", "out.zip"] {
        assert!(convert(name).unwrap_err().ends_with("choose a name that ends with .gz or .zst"));
    }
    assert_eq!(Packing::of_name(Path::new("a.tar.Gz")), Some(Packing::Gzip));
    assert_eq!(Packing::of_name(Path::new("gz")), None);
}

/// An endless text of blank lines.
struct Endless;

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        buffer.fill(b'\n');
        Ok(buffer.len())
    }
}

#[test]
fn a_small_file_that_unpacks_to_a_large_one_is_read_as_a_stream() {
    let mut encoder = flate2::read::GzEncoder::new(Endless.take(1 << 30), flate2::Compression::fast());
    let mut packed = Vec::new();
    encoder.read_to_end(&mut packed).unwrap();
    packed.extend(gzip(b"1. e4 *\n"));
    let (games, faults) = read(&packed);
    assert_eq!((games, faults), (numbered("x", 1), vec![]));
}
