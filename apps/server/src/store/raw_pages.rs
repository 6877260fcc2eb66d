//! The rows of a database without its structure: every page that is not free is read by itself, so that damage to one
//! page takes only its own rows. The format is that of <https://sqlite.org/fileformat2.html>.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::checks::has_foreign_log;
use super::file_watch::side_file;

const HEADER_BYTES: usize = 100;
const WAL_HEADER_BYTES: u64 = 32;
const FRAME_HEADER_BYTES: u64 = 24;
const DEFAULT_PAGE_BYTES: usize = 4096;
/// A row that is longer is damaged.
const MAX_ROW_BYTES: usize = 256 << 20;

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RawValue {
    Null,
    Integer(i64),
    Text(String),
    /// A number with a fraction, bytes, or a text that is none: the store has no such values.
    Other,
}

/// A row: of a table with its number, or of an index or a table without numbers.
#[derive(Debug)]
pub(super) struct RawRow {
    pub(super) number: Option<i64>,
    pub(super) values: Vec<RawValue>,
}

/// Where a page is: in the database or in its log.
#[derive(Clone, Copy)]
enum Place {
    Database(u64),
    Log(u64),
}

/// The pages of a database.
struct Pages {
    database: File,
    log: Option<File>,
    /// The pages of which the log has a newer form.
    in_log: HashMap<u32, u64>,
    page_bytes: usize,
    usable: usize,
    count: u32,
}

fn number_at(bytes: &[u8], at: usize, length: usize) -> u64 {
    let bytes = bytes.get(at..at + length).unwrap_or_default();
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Reads a number of one to nine bytes; returns it with its length.
fn varint(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let mut number = 0;
    for (index, byte) in bytes.get(at..)?.iter().take(9).enumerate() {
        if index == 8 {
            return Some((number << 8 | u64::from(*byte), 9));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((number, index + 1));
        }
    }
    None
}

fn page_size(bytes: u64) -> Option<usize> {
    let size = if bytes == 1 { 65_536 } else { bytes };
    (size.is_power_of_two() && (512..=65_536).contains(&size)).then_some(size as usize)
}

/// Adds words to the running checksum of a log.
fn wal_checksum(sum: (u32, u32), bytes: &[u8], is_big_endian: bool) -> (u32, u32) {
    bytes.chunks_exact(8).fold(sum, |(first, second), words| {
        let word = |at: usize| {
            let word = [words[at], words[at + 1], words[at + 2], words[at + 3]];
            if is_big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
        };
        let first = first.wrapping_add(word(0)).wrapping_add(second);
        (first, second.wrapping_add(word(4)).wrapping_add(first))
    })
}

/// Returns the pages that are complete in a log, with the place of their last form.
fn read_log(log: &mut File, page_bytes: &mut usize) -> io::Result<(HashMap<u32, u64>, u32)> {
    let mut found = HashMap::new();
    let mut header = [0; WAL_HEADER_BYTES as usize];
    if log.read_exact(&mut header).is_err() || number_at(&header, 0, 4) & !1 != 0x377f_0682 {
        return Ok((found, 0));
    }
    let Some(size) = page_size(number_at(&header, 8, 4)) else { return Ok((found, 0)) };
    let is_big_endian = header[3] & 1 == 1;
    let mut sum = wal_checksum((0, 0), &header[..24], is_big_endian);
    let (mut uncommitted, mut count) = (Vec::new(), 0);
    let mut frame = vec![0; FRAME_HEADER_BYTES as usize + size];
    let mut at = WAL_HEADER_BYTES;
    while log.read_exact(&mut frame).is_ok() {
        sum = wal_checksum(sum, &frame[..8], is_big_endian);
        sum = wal_checksum(sum, &frame[FRAME_HEADER_BYTES as usize..], is_big_endian);
        let stored = (number_at(&frame, 16, 4) as u32, number_at(&frame, 20, 4) as u32);
        if frame[8..16] != header[16..24] || stored != sum {
            break;
        }
        uncommitted.push((number_at(&frame, 0, 4) as u32, at + FRAME_HEADER_BYTES));
        at += frame.len() as u64;
        let pages = number_at(&frame, 4, 4) as u32;
        if pages > 0 {
            found.extend(uncommitted.drain(..));
            count = pages;
        }
    }
    *page_bytes = size;
    Ok((found, count))
}

impl Pages {
    fn open(path: &Path) -> io::Result<Pages> {
        let mut database = File::open(path)?;
        let mut header = vec![0; HEADER_BYTES];
        let has_header = database.read_exact(&mut header).is_ok();
        let mut page_bytes = page_size(number_at(&header, 16, 2)).unwrap_or(DEFAULT_PAGE_BYTES);
        let log = side_file(path, "-wal");
        let mut log = if has_foreign_log(path) { None } else { File::open(log).ok() };
        let (in_log, logged) = match &mut log {
            Some(log) => read_log(log, &mut page_bytes)?,
            None => (HashMap::new(), 0),
        };
        let reserved = if has_header && header[20] <= 32 { usize::from(header[20]) } else { 0 };
        let written = database.metadata()?.len() / page_bytes as u64;
        let count = u32::try_from(written).unwrap_or(u32::MAX).max(logged);
        Ok(Pages { database, log, in_log, page_bytes, usable: page_bytes - reserved, count })
    }

    /// Reads a page; `None` if it is cut off.
    fn read(&mut self, page: u32) -> Option<Vec<u8>> {
        let place = match self.in_log.get(&page) {
            Some(at) => Place::Log(*at),
            None => Place::Database(u64::from(page.checked_sub(1)?) * self.page_bytes as u64),
        };
        let mut bytes = vec![0; self.page_bytes];
        let (file, at) = match place {
            Place::Database(at) => (&mut self.database, at),
            Place::Log(at) => (self.log.as_mut()?, at),
        };
        file.seek(SeekFrom::Start(at)).ok()?;
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Returns the pages that have no rows, as far as their list can be read.
    fn free_pages(&mut self) -> BTreeSet<u32> {
        let mut free = BTreeSet::new();
        let mut trunk = self.read(1).map_or(0, |page| number_at(&page, 32, 4) as u32);
        while trunk > 1 && trunk <= self.count && free.insert(trunk) {
            let Some(page) = self.read(trunk) else { break };
            let leaves = number_at(&page, 4, 4) as usize;
            if leaves > self.usable / 4 - 2 {
                break;
            }
            free.extend((0..leaves).map(|leaf| number_at(&page, 8 + 4 * leaf, 4) as u32));
            trunk = number_at(&page, 0, 4) as u32;
        }
        free
    }

    /// Returns the content of a cell, of which a part may be on other pages.
    fn payload(&mut self, page: &[u8], at: usize, length: usize, max_local: usize) -> Option<Vec<u8>> {
        if length > MAX_ROW_BYTES {
            return None;
        }
        if length <= max_local {
            return page.get(at..at + length).map(<[u8]>::to_vec);
        }
        let least = (self.usable - 12) * 32 / 255 - 23;
        let local = least + (length - least) % (self.usable - 4);
        let local = if local <= max_local { local } else { least };
        let mut bytes = page.get(at..at + local)?.to_vec();
        let mut next = number_at(page, at + local, 4) as u32;
        while bytes.len() < length {
            if next < 2 || next > self.count {
                return None;
            }
            let overflow = self.read(next)?;
            let part = (length - bytes.len()).min(self.usable - 4);
            bytes.extend(overflow.get(4..4 + part)?);
            next = number_at(&overflow, 0, 4) as u32;
        }
        Some(bytes)
    }

    /// Calls a function with each row of a page.
    fn rows(&mut self, number: u32, page: &[u8], each: &mut impl FnMut(RawRow)) {
        let head = if number == 1 { HEADER_BYTES } else { 0 };
        let kind = page[head];
        let (head_bytes, is_table) = match kind {
            0x0d => (8, true),
            0x0a => (8, false),
            0x02 => (12, false),
            _ => return,
        };
        let max_local = if is_table { self.usable - 35 } else { (self.usable - 12) * 64 / 255 - 23 };
        let cells = number_at(page, head + 3, 2) as usize;
        for cell in 0..cells.min(self.usable / 2) {
            let mut at = number_at(page, head + head_bytes + 2 * cell, 2) as usize;
            if kind == 0x02 {
                at += 4;
            }
            let mut read = || {
                let (length, size) = varint(page, at)?;
                let mut start = at + size;
                let number = if is_table {
                    let (number, size) = varint(page, start)?;
                    start += size;
                    Some(number as i64)
                } else {
                    None
                };
                let payload = self.payload(page, start, usize::try_from(length).ok()?, max_local)?;
                Some(RawRow { number, values: values(&payload)? })
            };
            if let Some(row) = read() {
                each(row);
            }
        }
    }
}

/// Returns the values of a row.
fn values(payload: &[u8]) -> Option<Vec<RawValue>> {
    let (head_bytes, mut at) = varint(payload, 0)?;
    let mut body = usize::try_from(head_bytes).ok()?;
    let mut values = Vec::new();
    while at < head_bytes as usize {
        let (kind, size) = varint(payload, at)?;
        at += size;
        let length = match kind {
            0 | 8 | 9 => 0,
            1..=4 => kind as usize,
            5 => 6,
            6 | 7 => 8,
            10 | 11 => return None,
            _ => usize::try_from((kind - 12) / 2).ok()?,
        };
        let bytes = payload.get(body..body.checked_add(length)?)?;
        body += length;
        values.push(match kind {
            0 => RawValue::Null,
            8 | 9 => RawValue::Integer(kind as i64 - 8),
            1..=6 => {
                let unused = 64 - 8 * length as u32;
                RawValue::Integer((number_at(bytes, 0, length) << unused) as i64 >> unused)
            }
            _ if kind >= 13 && kind % 2 == 1 => {
                String::from_utf8(bytes.to_vec()).map_or(RawValue::Other, RawValue::Text)
            }
            _ => RawValue::Other,
        });
    }
    Some(values)
}

/// Calls a function with every row of a database that can be read.
///
/// # Errors
/// If the file cannot be opened.
pub(super) fn for_each_row(path: &Path, mut each: impl FnMut(RawRow)) -> io::Result<()> {
    let mut pages = Pages::open(path)?;
    let free = pages.free_pages();
    for number in (1..=pages.count).filter(|number| !free.contains(number)) {
        if let Some(page) = pages.read(number) {
            pages.rows(number, &page, &mut each);
        }
    }
    Ok(())
}
