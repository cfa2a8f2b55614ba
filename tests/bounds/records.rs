//! Records: lines that are deeply nested, objects with many members, and texts that collide in a known hash.

use crate::cost::{Case, assert_linear, cost};
use counterpoint::record::{Records, read};
use cpu_time::ThreadTime;
use std::time::Duration;

/// The record of a failed run with this reason, and with these fields besides those that every record has.
fn record(key: usize, reason: &str, fields: &str) -> String {
    format!(
        "{{\"key\":\"{key:024x}\",\"attempt\":\"n.1.2.{key}\",\"surroundings\":\"0\",\"problem\":\"flip\",\
         \"family\":\"random\",\"seed\":{key},\"instance_hash\":\"{key:064x}\",\"engine\":\"search:algebra\",\
         \"side\":\"search\",\"encoding\":\"algebra\",\"repetition\":1,\"shuffle\":0,\"limits\":{{}},\
         \"process_cpu_s\":0.5,\"process_wall_s\":0.5,\"start\":\"2026-01-01T00:00:00.000000Z\",\
         \"verdict\":\"failed\",\"reason\":\"{reason}\"{fields}}}"
    )
}

#[test]
fn records_take_memory_linear_in_their_number() {
    assert_linear("records", 2_000, (2, 1 << 18), |n| {
        let lines: Vec<String> = (0..n).map(|key| record(key, "none", "")).collect();
        Case {
            bytes: lines.iter().map(String::len).sum(),
            run: Box::new(move || {
                let mut records = Records::default();
                lines.iter().for_each(|line| _ = records.push_line(&read(line.as_bytes()).unwrap()));
                assert_eq!(records.len(), n);
            }),
        }
    });
}

#[test]
fn deep_values_are_refused_with_their_column() {
    for field in ["answer", "params", "rules"] {
        let deep = format!(",\"{field}\":{{\"a\":{}", "[".repeat(100_000));
        let line = record(1, "none", &deep);
        let mut found = None;
        let used = cost(|| found = read(line.as_bytes()).err());
        let error = found.unwrap();
        assert_eq!(error.reason, "not a record: recursion limit exceeded");
        assert!(error.column.is_some_and(|column| (500..800).contains(&column)), "{error:?}");
        assert!(used.peak < 1 << 18, "{field}: {used:?}");
    }
}

#[test]
fn long_lines_that_are_no_records_need_no_memory() {
    for value in ["[0]", "{\"\":0}"] {
        let many = vec![value; 200_000].join(",");
        for field in ["work", "reason2", "tags"] {
            let line = record(1, "none", &format!(",\"{field}\":[{many}]"));
            let used = cost(|| _ = read(line.as_bytes()));
            assert!(used.peak < 1 << 18, "{field} {value}: {used:?}");
        }
    }
}

/// The members of an object are searched one by one.
#[test]
fn objects_with_many_members_are_refused() {
    for field in ["params", "rules", "axes", "work"] {
        let value = if field == "axes" { "\"1\"" } else { "1" };
        let members =
            |n: usize| (0..n).rev().map(|i| format!("\"k{i:07}\":{value}")).collect::<Vec<_>>().join(",");
        let line = |n: usize| record(1, "none", &format!(",\"{field}\":{{{}}}", members(n)));
        assert!(read(line(1000).as_bytes()).is_ok(), "{field}");
        let line = line(100_000);
        let mut found = None;
        let used = cost(|| found = read(line.as_bytes()).err());
        let error = found.unwrap();
        assert_eq!(error.reason, "not a record: an object has more than 1000 members", "{field}");
        assert!(error.column.is_some(), "{field}");
        assert!(used.peak < 64 * line.len() as u64, "{field}: {used:?}");
    }
}

/// Texts that all have the same hash in tables of rustc-hash. It reads 16 bytes at a time; if eight bytes cancel its
/// state, the next eight are multiplied by 0. Here, the state in front of them is made to consist of letters.
fn colliding_texts(count: usize) -> impl Iterator<Item = String> {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let number = |text: &[u8]| u64::from_le_bytes(text.try_into().unwrap());
    let state = |i: u32| {
        let start = format!("{i:016}");
        let (x, y) = (number(&start.as_bytes()[..8]), number(&start.as_bytes()[8..]));
        (start, fold(0x243f_6a88_85a3_08d3 ^ x, 0xa409_3822_299f_31d0 ^ y))
    };
    let is_text = |state: u64| state.to_le_bytes().iter().all(|byte| byte.is_ascii_alphanumeric());
    let (start, state) = (0..).map(state).find(|(_, state)| is_text(*state)).unwrap();
    let cancels = String::from_utf8(state.to_le_bytes().to_vec()).unwrap();
    (0..count).map(move |i| format!("{start}----------------{cancels}{i:08}abcdefghijklmnopq"))
}

#[test]
fn texts_that_collide_in_a_known_hash() {
    const LIMIT: Duration = Duration::from_secs(20);
    let start = ThreadTime::now();
    let mut records = Records::default();
    for (key, text) in colliding_texts(60_000).enumerate() {
        records.push_line(&read(record(key, &text, "").as_bytes()).unwrap());
        assert!(start.elapsed() < LIMIT, "after {key} records");
    }
    assert_eq!(records.len(), 60_000);
}
