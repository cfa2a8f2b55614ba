//! Tests of the container format. The files in `../tests/` were written by xz 5.4.1.

use super::*;

const SHORT: &[u8] = b"p cnf 2 2\n1 2 0\n-1 0\n";

const NONE: &[u8] = include_bytes!("../tests/none.xz");
const CRC32: &[u8] = include_bytes!("../tests/crc32.xz");
const CRC64: &[u8] = include_bytes!("../tests/text.xz");
const SHA256: &[u8] = include_bytes!("../tests/sha256.xz");
/// [`long`], in blocks of 100 KiB whose headers declare their sizes, with a dictionary of 4 KiB.
const BLOCKS: &[u8] = include_bytes!("../tests/blocks.xz");
/// [`SHORT`], with the filter delta.
const FILTER: &[u8] = include_bytes!("../tests/filter.xz");

fn long() -> String {
    (0..40_000u32).map(|i| format!("{} -{} 0\n", i % 97, i * i % 97)).collect()
}

fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    XzReader::new(bytes).read_to_end(&mut text)?;
    Ok(text)
}

fn message(bytes: &[u8]) -> String {
    read(bytes).map(|text| text.len()).unwrap_err().to_string()
}

/// A file with one block for each of the texts, which are stored without compression. `check` is the
/// identifier of the integrity check, and `property` is the property of LZMA2, which gives the size of the
/// dictionary.
fn file(check: u8, property: u8, texts: &[&[u8]]) -> Vec<u8> {
    let pad = |bytes: &mut Vec<u8>| bytes.resize(bytes.len().next_multiple_of(4), 0);
    let with_crc = |bytes: &[u8]| [bytes, &crc32(bytes)].concat();
    let mut file = [&MAGIC[..], &with_crc(&[0, check])[2..]].concat();
    file.splice(6..6, [0, check]);
    let mut index = vec![0, u8::try_from(texts.len()).unwrap()];
    for text in texts {
        let header = with_crc(&[2, 0, 0x21, 1, property, 0, 0, 0]);
        let size = u16::try_from(text.len() - 1).unwrap().to_be_bytes();
        let data = [&[1, size[0], size[1]], *text, &[0]].concat();
        let mut crc = Crc64::new();
        crc.update(text);
        let value = match check {
            1 => crc32(text).to_vec(),
            4 => crc.value().to_le_bytes().to_vec(),
            10 => sha256::Hash::hash(text).to_vec(),
            _ => Vec::new(),
        };
        index.push(u8::try_from(header.len() + data.len() + value.len()).unwrap());
        index.push(u8::try_from(text.len()).unwrap());
        file.extend(header);
        file.extend(data);
        pad(&mut file);
        file.extend(value);
    }
    pad(&mut index);
    let index = with_crc(&index);
    file.extend(&index);
    let size = u32::try_from(index.len() / 4 - 1).unwrap().to_le_bytes();
    let footer = [&size[..], &[0, check]].concat();
    file.extend(crc32(&footer));
    file.extend(footer);
    file.extend(END);
    file
}

#[test]
fn every_check_is_verified() {
    for bytes in [NONE, CRC32, CRC64, SHA256] {
        assert_eq!(read(bytes).unwrap(), SHORT);
    }
    let texts: [&[u8]; 2] = [&SHORT[..10], &SHORT[10..]];
    for check in [0, 1, 4, 10] {
        let bytes = file(check, 0, &texts);
        assert_eq!(read(&bytes).unwrap(), SHORT);
        if check > 0 {
            // Change a letter of the first text, which is stored without compression.
            let mut damaged = bytes.clone();
            damaged[12 + 12 + 3] ^= 1;
            assert_eq!(message(&damaged), "its integrity check fails: the text is damaged");
        }
    }
    let unknown = "its integrity check is neither CRC32 nor CRC64 nor SHA-256";
    assert_eq!(message(&file(2, 0, &texts)), unknown);
}

#[test]
fn blocks_and_dictionaries_that_wrap() {
    assert_eq!(read(BLOCKS).unwrap(), long().as_bytes());
}

#[test]
fn streams_and_padding_count_as_one_text() {
    let zeros = [0; 12];
    let twice = [SHORT, SHORT].concat();
    for padding in [0, 4, 8, 12] {
        let bytes = [CRC64, &zeros[..padding], SHA256, &zeros[..padding]].concat();
        assert_eq!(read(&bytes).unwrap(), twice, "{padding}");
    }
    assert_eq!(read(&file(1, 0, &[])).unwrap(), b"");
    // Padding comes in groups of four zeros.
    let padded = message(&[CRC64, &[0; 5]].concat());
    assert_eq!(padded, "the padding after a stream is not a multiple of four bytes");
    let more = "unexpected data after the last stream; expected a stream or padding";
    assert_eq!(message(&[CRC64, b"anything"].concat()), more);
}

/// The dictionary grows with the text, whatever its header declares.
#[test]
fn a_large_dictionary_costs_no_memory() {
    let texts = [SHORT];
    for (property, size) in [(40, "4096"), (37, "1536"), (33, "384")] {
        let too_large = format!("it needs a dictionary of {size} MiB; the maximum is 256 MiB");
        assert_eq!(message(&file(4, property, &texts)), too_large);
    }
    let bytes = file(4, 32, &texts);
    let used = allocation_counter::measure(|| assert_eq!(read(&bytes).unwrap(), SHORT));
    assert!(used.bytes_max < 1 << 20, "{}", used.bytes_max);
    assert_eq!(message(&file(4, 41, &texts)), "the size of the dictionary is not valid");
}

#[test]
fn a_filter_is_named() {
    let only = "only the filter LZMA2 is supported; compress the file without other filters";
    assert_eq!(message(FILTER), only);
}

/// Every byte is covered by a check, except the text of a block without an integrity check. So in these
/// files, every change is an error.
#[test]
fn no_damage_goes_unnoticed() {
    for bytes in [CRC32, CRC64, SHA256, &file(1, 9, &[SHORT, SHORT])] {
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.to_vec();
                damaged[at] ^= 1 << bit;
                assert!(read(&damaged).is_err(), "byte {at}, bit {bit}");
            }
        }
    }
    for at in (0..BLOCKS.len()).step_by(7) {
        let mut damaged = BLOCKS.to_vec();
        damaged[at] ^= 0x55;
        assert!(read(&damaged).is_err(), "byte {at}");
    }
}

#[test]
fn reading_after_an_error_fails_again() {
    let mut reader = XzReader::new(&CRC64[..40]);
    let mut buffer = [0; 8];
    let error = std::iter::from_fn(|| Some(reader.read(&mut buffer))).find(Result::is_err).unwrap();
    assert_eq!(error.unwrap_err().kind(), ErrorKind::UnexpectedEof);
    assert!(reader.read(&mut buffer).is_err());
}
