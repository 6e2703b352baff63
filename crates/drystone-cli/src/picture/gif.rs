//! Animated GIF (GIF89a): median-cut palettes and LZW, one palette a picture.

use std::io::{self, Write};

use resvg::tiny_skia::Pixmap;

/// Most colours of a picture.
const COLOURS: usize = 256;
/// Largest code of LZW.
const LIMIT: u16 = 4096;

/// A film in the making.
pub(crate) struct Gif<W: Write> {
    out: W,
    /// Width and height of every picture [px].
    size: [u16; 2],
    /// Time a picture is shown [1/100 s].
    delay: u16,
}

impl<W: Write> Gif<W> {
    /// Starts a film that repeats for ever.
    pub(crate) fn new(mut out: W, size: [u16; 2], delay: u16) -> io::Result<Gif<W>> {
        out.write_all(b"GIF89a")?;
        out.write_all(&size[0].to_le_bytes())?;
        out.write_all(&size[1].to_le_bytes())?;
        out.write_all(&[0x70, 0, 0])?; // no palette for all, 8 bits a colour
        out.write_all(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")?;
        Ok(Gif { out, size, delay })
    }

    /// Adds a picture of the size of the film.
    pub(crate) fn push(&mut self, pixels: &Pixmap) -> io::Result<()> {
        let rgb: Vec<[u8; 3]> = pixels.data().chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect();
        let (palette, of) = palette(&rgb);
        let [low, high] = self.delay.to_le_bytes();
        self.out.write_all(&[0x21, 0xf9, 4, 0, low, high, 0, 0])?;
        self.out.write_all(&[0x2c, 0, 0, 0, 0])?;
        self.out.write_all(&self.size[0].to_le_bytes())?;
        self.out.write_all(&self.size[1].to_le_bytes())?;
        self.out.write_all(&[0x87])?; // own palette of 256
        self.out.write_all(palette.as_flattened())?;
        let indices = rgb.iter().map(|colour| of[bin(*colour)]);
        let bytes = compress(indices);
        self.out.write_all(&[8])?;
        for block in bytes.chunks(255) {
            self.out.write_all(&[block.len() as u8])?;
            self.out.write_all(block)?;
        }
        self.out.write_all(&[0])
    }

    /// Ends the film.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.out.write_all(&[0x3b])?;
        self.out.flush()
    }
}

/// Number of a colour with five bits a channel.
fn bin([r, g, b]: [u8; 3]) -> usize {
    usize::from(r >> 3) << 10 | usize::from(g >> 3) << 5 | usize::from(b >> 3)
}

/// A box of colours: its bins.
struct Part {
    bins: Vec<usize>,
    weight: u64,
}

/// 256 colours by median cut, and the number of the colour of every bin.
fn palette(rgb: &[[u8; 3]]) -> (Vec<[u8; 3]>, Vec<u8>) {
    // weight and sum of colours of every bin
    let mut bins = vec![(0_u64, [0_u64; 3]); 1 << 15];
    for colour in rgb {
        let (count, sum) = &mut bins[bin(*colour)];
        *count += 1;
        (0..3).for_each(|i| sum[i] += u64::from(colour[i]));
    }
    let channel = |bin: usize, i: usize| bin >> (10 - 5 * i) & 31;
    let spread = |part: &Part| {
        let range = |i: usize| {
            let values = part.bins.iter().map(|bin| channel(*bin, i));
            values.clone().max().unwrap_or(0) - values.min().unwrap_or(0)
        };
        (0..3).map(|i| (range(i), i)).max().unwrap_or((0, 0))
    };
    let used: Vec<usize> = (0..bins.len()).filter(|bin| bins[*bin].0 > 0).collect();
    let mut parts = vec![Part { weight: rgb.len() as u64, bins: used }];
    while parts.len() < COLOURS {
        // the box that gains most from being cut: wide, and with many pixels (a root, so that rare colours live too)
        let gain = |part: &Part| spread(part).0 as f64 * (part.weight as f64).sqrt();
        let widest = (0..parts.len()).filter(|k| parts[*k].bins.len() > 1);
        let Some(k) = widest.max_by(|i, j| gain(&parts[*i]).total_cmp(&gain(&parts[*j]))) else { break };
        let mut part = parts.swap_remove(k);
        let axis = spread(&part).1;
        part.bins.sort_by_key(|bin| channel(*bin, axis));
        let (mut sum, mut at) = (0, 0);
        while at + 1 < part.bins.len() && (at == 0 || 2 * sum < part.weight) {
            sum += bins[part.bins[at]].0;
            at += 1;
        }
        let rest = part.bins.split_off(at);
        parts.push(Part { weight: part.weight - sum, bins: rest });
        parts.push(Part { weight: sum, bins: part.bins });
    }
    let (mut colours, mut of) = (vec![[0; 3]; COLOURS], vec![0; bins.len()]);
    for (number, part) in parts.iter().enumerate() {
        let total = part.bins.iter().fold([0_u64; 3], |sum, bin| std::array::from_fn(|i| sum[i] + bins[*bin].1[i]));
        colours[number] = total.map(|sum| (sum / part.weight.max(1)) as u8);
        part.bins.iter().for_each(|bin| of[*bin] = number as u8);
    }
    (colours, of)
}

/// LZW with codes of 9 to 12 bits for bytes.
fn compress(bytes: impl Iterator<Item = u8>) -> Vec<u8> {
    const CLEAR: u16 = 256;
    const END: u16 = 257;
    let (mut out, mut bits, mut filled) = (Vec::new(), 0_u32, 0);
    let mut put = |code: u16, size: u32| {
        bits |= u32::from(code) << filled;
        filled += size;
        while filled >= 8 {
            out.push(bits as u8);
            bits >>= 8;
            filled -= 8;
        }
        (bits, filled)
    };
    // the code of a known string followed by a byte; 0: not known
    let mut table = vec![0_u16; usize::from(LIMIT) << 8];
    let (mut next, mut size) = (END + 1, 9);
    put(CLEAR, size);
    let mut prefix: Option<u16> = None;
    for byte in bytes {
        let Some(code) = prefix else {
            prefix = Some(u16::from(byte));
            continue;
        };
        let entry = usize::from(code) << 8 | usize::from(byte);
        if table[entry] != 0 {
            prefix = Some(table[entry]);
            continue;
        }
        put(code, size);
        if next == LIMIT {
            put(CLEAR, size);
            table.fill(0);
            (next, size) = (END + 1, 9);
        } else {
            if next == 1 << size {
                size += 1;
            }
            table[entry] = next;
            next += 1;
        }
        prefix = Some(u16::from(byte));
    }
    if let Some(code) = prefix {
        put(code, size);
    }
    // the reader has made one more entry by now, and may read longer codes
    if next == 1 << size && size < 12 {
        size += 1;
    }
    put(END, size);
    let (bits, filled) = put(0, 0);
    if filled > 0 {
        out.push(bits as u8);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads LZW back, as a viewer does.
    fn expand(bytes: &[u8]) -> Vec<u8> {
        let bit = |k: usize| u16::from(bytes[k / 8] >> (k % 8) & 1);
        let (mut at, mut size, mut out) = (0, 9, Vec::new());
        let mut words: Vec<Vec<u8>> = Vec::new();
        let mut last: Option<Vec<u8>> = None;
        loop {
            let code = (0..size).map(|k| bit(at + k) << k).sum::<u16>();
            at += size;
            match code {
                256 => {
                    words = (0..=257_u16).map(|k| if k < 256 { vec![k as u8] } else { Vec::new() }).collect();
                    (size, last) = (9, None);
                }
                257 => return out,
                code => {
                    let word = match (words.get(usize::from(code)), &last) {
                        (Some(word), _) => word.clone(),
                        (None, Some(last)) => [&last[..], &last[..1]].concat(),
                        (None, None) => panic!("the first code is a byte"),
                    };
                    if let Some(last) = last.take().filter(|_| words.len() < 4096) {
                        words.push([&last[..], &word[..1]].concat());
                    }
                    out.extend_from_slice(&word);
                    last = Some(word);
                    if words.len() == 1 << size && size < 12 {
                        size += 1;
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_compressed_expands_to_the_same() {
        let flat = vec![7_u8; 100_000];
        let mut state = 1_u32;
        let noise: Vec<u8> = (0..60_000)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .collect();
        for bytes in [vec![], vec![3], flat, noise, (0..9000).map(|k| (k / 7 % 31) as u8).collect::<Vec<u8>>()] {
            assert_eq!(expand(&compress(bytes.iter().copied())), bytes);
        }
        // every length around the ones at which codes grow
        for length in 250..1100 {
            let bytes: Vec<u8> = (0..length).map(|k| (k * k / 3 % 256) as u8).collect();
            assert_eq!(expand(&compress(bytes.iter().copied())), bytes, "{length}");
        }
    }

    #[test]
    fn few_colours_are_kept_as_they_are() {
        let rgb: Vec<[u8; 3]> = (0..1000).map(|k| [[255, 255, 255], [38, 40, 46], [190, 42, 20]][k % 3]).collect();
        let (colours, of) = palette(&rgb);
        assert!(rgb.iter().all(|colour| colours[usize::from(of[bin(*colour)])] == *colour));
    }
}
