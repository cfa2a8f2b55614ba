//! Packs records for the page, by columns. A column holds numbers, or codes into a dictionary. Its bytes are stored in
//! planes (all first bytes, then all second bytes), and everything is deflated. Runs are in the order of the dataset,
//! so neighbours are similar, and a record needs only some tens of bytes.

use super::dataset::Dataset;
use crate::record::columns;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::{Compression, write::DeflateEncoder};
use indexmap::IndexSet;
use itertools::Itertools;
use serde_json::{Value, json};
use std::io::{self, Write};

/// The number of significant digits of times. Repeated measurements agree in fewer digits.
const DIGITS: i32 = 4;

/// The minimum number of bytes of a key on the page.
const KEY_BYTES: usize = 4;

/// Columns that are not on the page, or are there only in another form.
const LEFT_OUT: [&str; 6] = ["key", "attempt", "pilot", "engine", "instance_hash", "start"];

/// Columns that are on the page only if their values differ.
const WHERE_SEVERAL: [&str; 3] = ["build", "node", "cpu_model"];

/// Columns and their bytes.
pub(super) struct Packed {
    /// For each column, its name, type, offset and, if it has one, dictionary.
    pub(super) columns: Vec<Value>,
    /// Base64 of the deflated bytes.
    pub(super) payload: String,
}

/// Packs the runs of a dataset.
///
/// # Errors
/// If the bytes cannot be deflated.
pub(super) fn pack(dataset: &Dataset<'_>) -> io::Result<Packed> {
    let mut packing = Packing { columns: Vec::new(), bytes: Vec::new(), count: dataset.runs.len() };
    let keys: Vec<String> = dataset.runs.iter().map(|run| run.record.key()).collect();
    packing.keys(&keys);
    let engines = dataset.engines.iter().map(|engine| engine.as_str().into()).collect();
    packing.codes("engine", engines, dataset.runs.iter().map(|run| run.engine));
    let labels = dataset.instances.iter().map(|instance| instance.label.as_str().into()).collect();
    packing.codes("instance", labels, dataset.runs.iter().map(|run| run.instance));
    packing.numbers("start_s", &starts(dataset));
    let rows = dataset.records();
    for column in columns::of(&rows) {
        let name = column.name();
        if LEFT_OUT.contains(&name.as_str()) {
            continue;
        }
        let default = columns::default_rule(dataset.defaults, &name).map(Value::from);
        let values: Vec<Option<Value>> =
            rows.iter().map(|row| column.of(*row).or_else(|| default.clone())).collect();
        let values: Vec<Option<&Value>> = values.iter().map(Option::as_ref).collect();
        if values.iter().flatten().any(|value| value.is_array()) {
            // Several words in one cell, separated by spaces.
            let cells: Vec<Value> = rows.iter().map(|row| column.cell(*row).into()).collect();
            let cells: Vec<Option<&Value>> =
                cells.iter().map(|cell| Some(cell).filter(|cell| *cell != "")).collect();
            packing.words(&name, &cells);
            continue;
        }
        if WHERE_SEVERAL.contains(&name.as_str()) && values.iter().all_equal() {
            continue;
        }
        if is_measured(&name) {
            let numbers: Vec<f64> =
                values.iter().map(|value| value.and_then(|v| v.as_f64()).unwrap_or(f64::NAN)).collect();
            packing.numbers(&name, &numbers);
        } else {
            packing.words(&name, &values);
        }
    }
    let mut deflater = DeflateEncoder::new(Vec::new(), Compression::best());
    deflater.write_all(&packing.bytes)?;
    let payload = BASE64_STANDARD.encode(deflater.finish()?);
    Ok(Packed { columns: packing.columns, payload })
}

/// Whether a column contains measurements, not parameters.
fn is_measured(name: &str) -> bool {
    let unit = name.ends_with("_s") || name.ends_with("_bytes") || name.ends_with("_percent");
    name.starts_with("work_") || name == "load" || unit && !name.starts_with("limits_")
}

/// The start of each run, in seconds after the first one.
fn starts(dataset: &Dataset<'_>) -> Vec<f64> {
    let start = |text: &str| {
        let since = humantime::parse_rfc3339(text).ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(since.as_secs_f64().floor())
    };
    let starts: Vec<Option<f64>> = dataset.runs.iter().map(|run| start(&run.record.start())).collect();
    let first = starts.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    starts.into_iter().map(|start| start.map_or(f64::NAN, |start| start - first)).collect()
}

struct Packing {
    columns: Vec<Value>,
    bytes: Vec<u8>,
    count: usize,
}

impl Packing {
    /// A column of codes into a dictionary.
    fn codes(&mut self, name: &str, values: Vec<Value>, codes: impl Iterator<Item = usize>) {
        let kind = match values.len() {
            0..=0x100 => "u8",
            0x101..=0x1_0000 => "u16",
            _ => "u32",
        };
        self.columns.push(json!({ "name": name, "type": kind, "at": self.bytes.len(), "values": values }));
        self.whole(kind, codes.map(|code| code as u32).collect());
    }

    /// A column of words or parameters. The dictionary is sorted. An absent value is `null`, which comes first.
    fn words(&mut self, name: &str, values: &[Option<&Value>]) {
        let known: IndexSet<String> =
            values.iter().map(|value| value.map_or(String::new(), Value::to_string)).collect();
        let of = |text: &str| serde_json::from_str::<Value>(text).unwrap_or(Value::Null);
        let dictionary: Vec<Value> = known.iter().map(|text| of(text)).collect();
        if dictionary.iter().all(Value::is_null) {
            return;
        }
        let order: Vec<usize> =
            (0..dictionary.len()).sorted_by_cached_key(|&i| columns::rank(&dictionary[i])).collect();
        let place: Vec<usize> = (0..order.len()).sorted_by_key(|&i| order[i]).collect();
        let codes = values.iter().map(|value| {
            let text = value.map_or(String::new(), Value::to_string);
            place[known.get_index_of(&text).unwrap_or_default()]
        });
        let codes: Vec<usize> = codes.collect();
        let sorted = order.iter().map(|&i| dictionary[i].clone()).collect();
        self.codes(name, sorted, codes.into_iter());
    }

    /// A column of numbers, in which NaN means absent. If all numbers are integers, they are exact; otherwise they are
    /// rounded to [`DIGITS`] significant digits.
    fn numbers(&mut self, name: &str, numbers: &[f64]) {
        if numbers.iter().all(|number| number.is_nan()) {
            return;
        }
        let most = numbers.iter().copied().fold(0.0, f64::max);
        let whole = numbers.iter().all(|number| number.fract() == 0.0 && *number >= 0.0);
        let counted = numbers.iter().all(|number| number.is_nan() || number.fract() == 0.0);
        let kind = match () {
            () if whole && most <= f64::from(u8::MAX) => "u8",
            () if whole && most <= f64::from(u16::MAX) => "u16",
            () if whole && most <= f64::from(u32::MAX) => "u32",
            () if counted && most > f64::from(1 << 24) => "f64",
            () => "f32",
        };
        self.columns.push(json!({ "name": name, "type": kind, "at": self.bytes.len() }));
        match kind {
            "f64" => self.planes(numbers.iter().map(|number| number.to_le_bytes())),
            "f32" if counted => self.planes(numbers.iter().map(|&number| (number as f32).to_le_bytes())),
            "f32" => self.planes(numbers.iter().map(|&number| (rounded(number) as f32).to_le_bytes())),
            _ => self.whole(kind, numbers.iter().map(|&number| number as u32).collect()),
        }
    }

    fn whole(&mut self, kind: &str, numbers: Vec<u32>) {
        match kind {
            "u8" => self.planes(numbers.into_iter().map(|number| [number as u8])),
            "u16" => self.planes(numbers.into_iter().map(|number| (number as u16).to_le_bytes())),
            _ => self.planes(numbers.into_iter().map(u32::to_le_bytes)),
        }
    }

    /// Appends all first bytes, then all second bytes, and so on.
    fn planes<const N: usize>(&mut self, elements: impl Iterator<Item = [u8; N]>) {
        let start = self.bytes.len();
        self.bytes.resize(start + N * self.count, 0);
        for (i, element) in elements.enumerate() {
            for (plane, byte) in element.into_iter().enumerate() {
                self.bytes[start + plane * self.count + i] = byte;
            }
        }
    }

    /// The column of keys. All are cut to the same number of bytes: the least number with which they still differ from
    /// each other, but at least [`KEY_BYTES`].
    fn keys(&mut self, keys: &[String]) {
        let most = keys.iter().map(|key| key.len() / 2).min().unwrap_or(0);
        let apart = |bytes: usize| keys.iter().map(|key| key.get(..2 * bytes)).all_unique();
        let bytes = (KEY_BYTES..most).find(|&bytes| apart(bytes)).unwrap_or(most);
        self.columns.push(json!({ "name": "key", "type": format!("hex{bytes}"), "at": self.bytes.len() }));
        let byte = |key: &str, i: usize| {
            key.get(2 * i..2 * i + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).unwrap_or(0)
        };
        for plane in 0..bytes {
            self.bytes.extend(keys.iter().map(|key| byte(key, plane)));
        }
    }
}

/// A number rounded to [`DIGITS`] significant digits.
fn rounded(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let scale = 10f64.powi(DIGITS - 1 - number.abs().log10().floor() as i32);
    (number * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::{pack, rounded};
    use crate::dataset::Dataset;
    use crate::record::{Findings, Record, Records, Verdict};
    use base64::Engine as _;
    use base64::prelude::BASE64_STANDARD;
    use flate2::read::DeflateDecoder;
    use serde_json::{Value, json};
    use std::io::Read;

    fn record(seed: u64, cpu_s: Option<f64>, conflicts: u64) -> Record {
        Record {
            key: format!("{seed:08x}aabbccdd"),
            family: "hard".to_owned(),
            params: [("n".to_owned(), json!(seed % 3))].into_iter().collect(),
            seed,
            engine: format!("sat:m{}", seed % 2),
            start: "2026-01-02T03:04:05Z".to_owned(),
            findings: Findings {
                verdict: Some(Verdict::Decided),
                cpu_s,
                work: [("conflicts".to_owned(), conflicts)].into(),
                ..Findings::default()
            },
            ..Record::default()
        }
    }

    /// The bytes of a column, element by element.
    fn elements(bytes: &[u8], column: &Value, size: usize, count: usize) -> Vec<Vec<u8>> {
        let at = column["at"].as_u64().unwrap() as usize;
        (0..count).map(|i| (0..size).map(|plane| bytes[at + plane * count + i]).collect()).collect()
    }

    #[test]
    fn packed_columns_have_the_values_of_the_records() {
        let records: Vec<Record> =
            (0..500).map(|i| record(i, (i % 7 != 0).then_some(0.123_456_78), 300 * i)).collect();
        let records = Records::from_iter(&records);
        let dataset = Dataset::new(records.iter(), &["sat:m1".to_owned(), "sat:m0".to_owned()]);
        let packed = pack(&dataset).unwrap();
        let mut bytes = Vec::new();
        let payload = BASE64_STANDARD.decode(&packed.payload).unwrap();
        DeflateDecoder::new(&payload[..]).read_to_end(&mut bytes).unwrap();
        let column = |name: &str| packed.columns.iter().find(|c| c["name"] == name).unwrap();
        let numbers = |name: &str, kind: &str| {
            assert_eq!(column(name)["type"], kind, "{name}");
            elements(&bytes, column(name), 4, 500)
        };
        let (times, work) = (numbers("cpu_s", "f32"), numbers("work_conflicts", "u32"));
        let engines = elements(&bytes, column("engine"), 1, 500);
        let keys = elements(&bytes, column("key"), 4, 500);
        for (i, run) in dataset.runs.iter().enumerate() {
            let seed = run.record.seed();
            let time = f32::from_le_bytes(times[i][..].try_into().unwrap());
            assert!(if seed % 7 == 0 { time.is_nan() } else { time == 0.1235 }, "{time}");
            assert_eq!(u64::from(u32::from_le_bytes(work[i][..].try_into().unwrap())), 300 * seed);
            assert_eq!(column("engine")["values"][usize::from(engines[i][0])], run.record.engine());
            assert_eq!(keys[i], (seed as u32).to_be_bytes());
        }
        let names: Vec<&str> = packed.columns.iter().map(|c| c["name"].as_str().unwrap()).collect();
        assert!(!names.contains(&"wall_s"), "a column without values is packed");
        assert_eq!(column("params_n")["values"], json!([0, 1, 2]));
    }

    #[test]
    fn absent_rules_are_packed_with_their_default_values() {
        let mut records = [record(1, None, 0), record(2, None, 0)];
        records[0].rules.insert("limit".to_owned(), json!("400"));
        let records = Records::from_iter(&records);
        let values = |dataset: &Dataset<'_>| {
            let packed = pack(dataset).unwrap();
            packed.columns.iter().find(|c| c["name"] == "rules_limit").unwrap()["values"].clone()
        };
        let known = Dataset::with_default_rules(records.iter(), &[], &[("limit", "2N")]);
        assert_eq!(values(&known), json!(["2N", "400"]));
        assert_eq!(values(&Dataset::new(records.iter(), &[])), json!([null, "400"]));
    }

    #[test]
    fn four_digits_are_kept() {
        assert_eq!([0.0, 1.234_56e-7, 99.999, 123_456.0].map(rounded), [0.0, 1.235e-7, 100.0, 123_500.0]);
    }
}
