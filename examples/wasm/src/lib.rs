//! The library as a WebAssembly module, for pages. `counterpoint_pages::exports` describes its functions.

#![allow(unsafe_code, reason = "`no_mangle` is an unsafe attribute")]

counterpoint_pages::module!(counterpoint::standard());

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on shall panic")]

    use super::*;
    use serde_json::Value;

    fn ask(request: &str) -> String {
        request.bytes().for_each(|byte| feed(byte.into()));
        let bytes = (0..answer()).map(|at| byte(at) as u8).collect();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn requests_are_answered_one_after_the_other() {
        assert!(ask("{\"ask\": \"problems\"}").contains("\"flip\""));
        assert!(ask("nonsense").starts_with("{\"error\":"));
        assert!(ask("").starts_with("{\"error\":"));
        assert_eq!(byte(u32::MAX), 0);
    }

    #[test]
    fn a_lesson_has_a_smaller_formula_if_the_first_is_too_large() {
        // `sat:placement/amo=pairwise` has 15,000 clauses if about half of the squares are known, 90,000 if none is.
        let known = "o...x..\\no...o..\\n.oxx..x\\nxx.ooxo\\n.....x.\\n.xo.x..\\no.o..x.";
        for (rows, engine) in
            [(known, "sat:placement/amo=pairwise/leaders=no"), (&["......."; 7].join("\\n"), "sat:owner")]
        {
            let board = format!(r#"{{ "problem": "ships", "text": "7 7\n{rows}\n" }}"#);
            let ask_about = |what: &str| ask(&what.replace("BOARD", &board));
            let solved = ask_about(r#"{ "ask": "solve", "board": BOARD, "engine": "search:cover" }"#);
            let solved: Value = serde_json::from_str(&solved).unwrap();
            let request =
                r#"{ "ask": "lesson", "board": BOARD, "engine": "search:cover", "answer": ANSWER }"#;
            let lesson = ask_about(&request.replace("ANSWER", &solved["answer"].to_string()));
            let lesson: Value = serde_json::from_str(&lesson).unwrap();
            assert_eq!(lesson["engine"], engine, "{solved}");
        }
    }

    #[test]
    fn formulas_are_solved_one_after_the_other() {
        for (numbers, expected) in [(&[1, 2, 0, -1, 0][..], 1), (&[1, 0, -1, 0], 0)] {
            begin(2);
            numbers.iter().for_each(|&number| literal(number));
            assert_eq!(solve(), expected);
        }
        begin(2);
        [-1, -2, 0].iter().for_each(|&number| literal(number));
        assume(1);
        assert_eq!((solve(), value(1), value(2)), (1, 1, 0));
    }
}
