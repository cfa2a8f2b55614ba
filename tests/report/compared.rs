//! Comparisons that a plan asks for, tables with memory and solver calls, and files for BenchExec's `table-generator`.

use crate::invented::made_up;
use crate::reports::{counterpoint, data, output_text};
use counterpoint::record::{Check, Findings, Verdict};
use std::fs;

const PLAN: &str = r#"
problem = "flip"
engines = ["search:algebra", "sat:presses/xor={direct,cut3}@{varisat,batsat}"]
limits = { cpu = "9s" }
[[family]]
name = "random"
n = [2, 3]
seeds = "1..=5"
"#;

const COMPARE: &str = r#"
[about]
finding = "`direct` needs {paired difference of direct and cut3} more, in {paired instances of cut3 and direct} boards."
[[table]]
by = "n"
[[table]]
by = "n"
wide = true
[[compare]]
along = "xor"
caption = "Within each solver."
[[compare]]
pairs = [["search:algebra", "sat:presses"], ["sat:presses@batsat", "sat:presses"]]
only = { n = 3 }
"#;

/// All runs are solved, in different times, by several calls of the solver.
fn findings(i: usize) -> Findings {
    Findings {
        verdict: Some(Verdict::Decided),
        check: Some(Check::Checked),
        outcome: Some("1 press".to_owned()),
        cpu_s: Some(0.01 * (1 + i * 7 % 50) as f64),
        peak_bytes: Some((8 << 20) + i as u64),
        work: [("solves".to_owned(), 3)].into(),
        ..Findings::default()
    }
}

#[test]
fn comparisons_are_in_all_parts_of_a_report() {
    let folder = made_up("compared", PLAN, |_, i| findings(i));
    fs::write(folder.join("plan.toml"), PLAN.to_owned() + COMPARE).unwrap();
    let output = counterpoint(&["report", folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", output_text(&output));
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let csv = read("report/tables/compare-1.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with("xor a,xor b,pairs of engines,instances,a ahead,"), "{csv}");
    assert!(lines.len() == 2 && lines[1].starts_with("direct,cut3,2,10,"), "{csv}");
    let chosen = read("report/tables/compare-2.csv");
    assert!(chosen.contains("\nsearch:algebra,sat:presses,1,5,"), "{chosen}");
    assert!(read("report/tables/compare-2.tex").contains("sat:presses@batsat & sat:presses & 1 & 5 &"));
    assert!(
        read("report/macros.tex").contains(r"\newcommand{\tableCompareOne}{\input{tables/compare-1.tex}}")
    );
    let readme = read("README.md");
    assert!(
        readme.contains("\n**Finding.** `direct` needs ") && readme.contains("more, in 10 boards."),
        "{readme}"
    );
    assert!(readme.contains("\nWithin each solver.\n\n| xor a | xor b |"), "{readme}");
    let paired = &data(&folder.join("report/report.html"))["paired"];
    assert_eq!((paired[0]["along"].as_str(), paired[1]["along"].as_str()), (Some("xor"), None));
    assert_eq!(paired[1]["rows"][0]["instances"], 5);
    // The tables for papers have memory and solver calls. In the README, only wide tables have them.
    assert!(
        read("report/tables/table-1.csv")
            .lines()
            .next()
            .unwrap()
            .ends_with("\"memory, worst\",\"solver calls, median\"")
    );
    assert!(read("report/tables/engines.csv").contains("\"memory, worst\",\"solver calls, median\""));
    assert_eq!(readme.matches("memory, worst | solver calls, median |").count(), 1, "{readme}");
    assert!(readme.contains("| 8.00 MiB | 3 |"), "{readme}");
}

#[test]
fn errors_in_comparisons_have_a_position() {
    let folder = made_up("miscompared", PLAN, |_, i| findings(i));
    for (compare, why) in [
        (
            "[compare]\nalong = \"xr\"",
            "9:1: compare: no engine has an axis 'xr'; there are bound, card, lex, xor, encoding, solver",
        ),
        ("[compare]\nalong = \"xor\"\npairs = []", "9:1: a comparison has either `along`"),
        ("[compare]\npairs = []", "10:9: expected a list of pairs"),
        (
            "[compare]\nalong = \"xor\"\ny = \"work\"",
            "11:5: expected one of \"cpu_s\", \"build_cpu_s\", \"solve_cpu_s\", \"wall_s\", found \"work\"",
        ),
        ("[compare]\npairs = [[\"search\"]]", "10:10: expected a list of pairs"),
        (
            "[compare]\npairs = [[\"search\", \"sat:presses@{varisat,batsat}\"]]",
            "10:21: pattern matches 2 engines; expected one",
        ),
        ("[compare]\npairs = [[\"search\", \"search:algebra\"]]", "10:10: both engines are search:algebra"),
        ("[compare]\nalong = \"xor\"\nonly = { n = 9 }", "9:1: compare: no two engines differ only in xor"),
    ] {
        fs::write(folder.join("plan.toml"), format!("{PLAN}{compare}\n")).unwrap();
        let output = counterpoint(&["report", folder.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(2), "{compare}: {}", output_text(&output));
        assert!(output_text(&output).contains(why), "{compare}: {}", output_text(&output));
    }
}

#[test]
fn records_are_written_for_benchexec() {
    let folder = made_up("benchexec", PLAN, |_, i| findings(i));
    let (experiment, files) = (folder.to_str().unwrap(), folder.join("xml/new"));
    let output =
        counterpoint(&["status", experiment, "--records", "benchexec", "-o", files.to_str().unwrap()]);
    assert!(output.status.success(), "{}", output_text(&output));
    let text = output_text(&output);
    let paths: Vec<&str> = text.lines().collect();
    assert_eq!(paths.len(), 5, "{text}");
    for path in paths {
        let xml = fs::read_to_string(path).unwrap();
        assert_eq!(xml.matches("  <run name=").count(), 10, "{xml}");
        assert_eq!(xml.matches("<column title=\"category\" value=\"correct\"/>").count(), 10, "{xml}");
        assert!(xml.contains("<systeminfo hostname=") && xml.contains("<ram size="), "{xml}");
        balanced(&xml);
    }
    for (args, why) in [
        (&["--records", "benchexec"][..], "--output FOLDER is missing"),
        (&["--records", "csv", "-o", "x"], "--output is for --records benchexec"),
    ] {
        let output = counterpoint(&[&["status", experiment], args].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(output_text(&output).contains(why), "{}", output_text(&output));
    }
}

/// Checks that the tags of a document are nested, and that attributes contain no reserved character.
fn balanced(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in xml.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').unwrap();
        assert!(text.trim().is_empty(), "{text}");
        match tag {
            _ if tag.starts_with(['?', '!']) => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(&tag[1..])),
            _ if tag.ends_with('/') => {}
            _ => open.push(tag.split(' ').next().unwrap()),
        }
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
    }
    assert!(open.is_empty(), "{open:?}");
}
