//! Mutations: of texts by their lines, words and numbers, of bytes, and of the members of npz files.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Random numbers of one input.
pub(crate) struct Dice(Pcg64);

impl Dice {
    /// Those of the n-th input.
    pub(crate) fn new(seed: u64, n: u64) -> Dice {
        Dice(Pcg64::new(u128::from(seed), u128::from(n)))
    }

    /// One of `count` numbers from zero on; zero if there is none.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.0.next_u64() % count.max(1) as u64) as usize
    }

    /// One of several.
    pub(crate) fn of<'a, T: ?Sized>(&mut self, several: &[&'a T]) -> &'a T {
        several[self.below(several.len())]
    }
}

/// Numbers at the ends of what is thought of.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "3",
    "-0.0",
    "0.5",
    "1e-3",
    "1e3",
    "1e-6",
    "1e6",
    "100000",
    "1e-9",
    "1e9",
    "1e12",
    "1e-12",
    "1e15",
    "1e16",
    "1e20",
    "-1e20",
    "1e30",
    "1e-30",
    "1e49",
    "1e-49",
    "1e50",
    "-1e50",
    "1e-50",
    "1e100",
    "1e300",
    "-1e300",
    "1e-300",
    "1e308",
    "5e-324",
    "nan",
    "inf",
    "-inf",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "0x10",
    "1_000",
    "0.1e",
    "1e99999",
    "\"1e300 m\"",
    "\"1 parsec\"",
];

/// Places of numbers in a text.
fn numbers(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut k) = (Vec::new(), 0);
    let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'_');
    while k < text.len() {
        let is_word = k > 0 && (text[k - 1].is_ascii_alphanumeric() || text[k - 1] == b'_');
        if !text[k].is_ascii_digit() || is_word {
            k += 1;
            continue;
        }
        let from = if k > 0 && text[k - 1] == b'-' { k - 1 } else { k };
        while k < text.len() && (is_part(text[k]) || text[k] == b'-' && matches!(text[k - 1], b'e' | b'E')) {
            k += 1;
        }
        found.push(from..k);
    }
    found
}

/// Another number in the place of one.
fn change_number(text: &mut Vec<u8>, dice: &mut Dice) {
    let places = numbers(text);
    if places.is_empty() {
        return;
    }
    let place = places[dice.below(places.len())].clone();
    let old = String::from_utf8_lossy(&text[place.clone()]).replace('_', "");
    let new = match (dice.below(3), old.parse::<f64>()) {
        (0, Ok(number)) => format!("{:e}", number * 10f64.powi(dice.below(13) as i32 - 6)),
        (1, Ok(number)) if number.abs() < 1e9 => format!("{}", number as i64 + dice.below(5) as i64 - 2),
        _ => dice.of(NUMBERS).to_string(),
    };
    text.splice(place, new.into_bytes());
}

/// Swaps, drops, doubles and flips bytes.
pub(crate) fn change_bytes(bytes: &mut Vec<u8>, dice: &mut Dice) {
    if bytes.is_empty() {
        return;
    }
    let at = dice.below(bytes.len());
    let to = (at + 1 + dice.below(64)).min(bytes.len());
    match dice.below(7) {
        0 => bytes[at] ^= 1 << dice.below(8),
        1 => bytes[at] = dice.below(256) as u8,
        2 => bytes.truncate(at),
        3 => drop(bytes.drain(at..to)),
        4 => {
            let copy = bytes[at..to].to_vec();
            let place = dice.below(bytes.len());
            bytes.splice(place..place, copy);
        }
        5 => {
            let value = [0, 0xff, 0x7f, 0x80][dice.below(4)];
            let to = (at + [1, 2, 4, 8][dice.below(4)]).min(bytes.len());
            bytes[at..to].fill(value);
        }
        _ => {
            let special = [f64::NAN, f64::INFINITY, 1e300, -1e300, 5e-324, 0.0][dice.below(6)].to_le_bytes();
            let at = at & !7;
            if at + 8 <= bytes.len() {
                bytes[at..at + 8].copy_from_slice(&special);
            }
        }
    }
}

/// A text with a few mutations; lines and words may come from other texts.
pub(crate) fn change_text(text: &str, others: &[String], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + dice.below(3) {
        match dice.below(12) {
            0..5 => change_number(&mut bytes, dice),
            5 => change_bytes(&mut bytes, dice),
            kind => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                bytes = change_lines(&text, others, kind, dice).into_bytes();
            }
        }
    }
    bytes
}

/// From the header of a table to the next.
fn block(lines: &[String], dice: &mut Dice) -> std::ops::Range<usize> {
    let heads: Vec<usize> = (0..lines.len()).filter(|k| lines[*k].starts_with('[')).collect();
    let Some(from) = heads.get(dice.below(heads.len())).copied() else { return 0..0 };
    from..heads.iter().copied().find(|head| *head > from).unwrap_or(lines.len())
}

fn change_lines(text: &str, others: &[String], kind: usize, dice: &mut Dice) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    let mut other: Vec<String> = match others.is_empty() {
        true => lines.clone(),
        false => others[dice.below(others.len())].lines().map(str::to_string).collect(),
    };
    let (at, from) = (dice.below(lines.len()), dice.below(other.len()));
    match kind {
        _ if lines.is_empty() || other.is_empty() => {}
        6 => drop(lines.remove(at)),
        7 => lines.insert(at, other.swap_remove(from)),
        8 => {
            let taken = block(&other, dice);
            lines.splice(at..at, other[taken].to_vec());
        }
        9 => drop(lines.drain(block(&lines, dice))),
        10 => lines[at] = change_word(&lines[at], &other[from]),
        _ => match dice.below(3) {
            0 => {
                let depth = 1 << dice.below(12);
                lines[at] = format!("deep = {}{}", "[".repeat(depth), "]".repeat(depth));
            }
            1 => {
                let to = dice.below(lines.len());
                lines.swap(at, to);
            }
            _ => lines.insert(at, lines[at].clone()),
        },
    }
    lines.join("\n")
}

/// The line with the key or the value of another one.
fn change_word(line: &str, other: &str) -> String {
    match (line.split_once('='), other.split_once('=')) {
        (Some((key, _)), Some((_, value))) if key.len() % 2 == 0 => format!("{key}={value}"),
        (Some((_, value)), Some((key, _))) => format!("{key}={value}"),
        _ => other.to_string(),
    }
}

/// Changes one member of an npz file, its header or its numbers, and sets its checksum right.
pub(crate) fn change_member(file: &mut [u8], dice: &mut Dice) {
    let find = |mark: &[u8]| -> Vec<usize> {
        (0..file.len().saturating_sub(mark.len())).filter(|k| file[*k..].starts_with(mark)).collect()
    };
    let (heads, entries) = (find(b"PK\x03\x04"), find(b"PK\x01\x02"));
    let arrays = find(b"\x93NUMPY");
    if heads.len() != entries.len() || heads.len() != arrays.len() || heads.is_empty() {
        return;
    }
    let k = dice.below(heads.len());
    let (from, to) = (arrays[k], heads.get(k + 1).copied().unwrap_or(entries[0]));
    let head = usize::from(u16::from_le_bytes([file[from + 8], file[from + 9]])) + 10;
    let middle = (from + head).min(to);
    let range = if dice.below(3) == 0 || middle == to { from..middle } else { middle..to };
    for _ in 0..1 + dice.below(3) {
        let at = range.start + dice.below(range.len());
        match dice.below(4) {
            0 => file[at] ^= 1 << dice.below(8),
            1 => file[at] = b'0' + dice.below(10) as u8,
            2 => file[at..(at + 8).min(range.end)].fill([0, 0xff, 0x7f, b'9'][dice.below(4)]),
            _ => {
                let special = [f64::NAN, f64::INFINITY, 1e300, -1e300, 1e20, 0.0][dice.below(6)].to_le_bytes();
                let at = middle + (at - range.start) / 8 * 8;
                if at + 8 <= to {
                    file[at..at + 8].copy_from_slice(&special);
                }
            }
        }
    }
    let sum = crc32(&file[from..to]).to_le_bytes();
    file[heads[k] + 14..heads[k] + 18].copy_from_slice(&sum);
    file[entries[k] + 16..entries[k] + 20].copy_from_slice(&sum);
}

/// The checksum of zip files.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    })
}
