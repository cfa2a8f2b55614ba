//! The library as a WebAssembly module, for pages. `counterpoint_pages::exports` describes its functions.

#![allow(unsafe_code, reason = "`no_mangle` is an unsafe attribute")]

counterpoint_pages::module!(counterpoint::standard());

#[cfg(test)]
mod tests {
    use super::*;

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
