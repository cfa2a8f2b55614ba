//! Rewrites proofs of version 1 as version 2, the oldest one that VeriPB 3 reads.

use super::VeriPb;
use super::scanner::number;

impl VeriPb {
    /// This proof of version 1, rewritten as version 2 for a formula with this many inequalities; `None` if the proof
    /// has another version. A malformed proof stays malformed.
    ///
    /// In version 2, the inequalities of the formula have the first numbers. So each `l` becomes a step that copies an
    /// inequality, and all other numbers of constraints grow by the number of inequalities.
    pub fn to_version_2(&self, inequalities: usize) -> Option<Vec<u8>> {
        let mut lines = self.0.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        lines.next().filter(|header| header.starts_with(b"pseudo-Boolean proof version 1"))?;
        let shifted = |token: &[u8]| match number(token) {
            Some(Ok(number @ 1..)) => number.saturating_add(inequalities as i128).to_string().into_bytes(),
            _ => token.to_vec(),
        };
        let mut text = format!("pseudo-Boolean proof version 2.0\nf {inequalities}\n").into_bytes();
        let mut line = |words: &[&[u8]]| {
            text.extend(words.join(&b' '));
            text.push(b'\n');
        };
        for words in lines {
            let words: Vec<&[u8]> =
                words.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
            match words[..] {
                [] => {}
                [b"f", ..] => {
                    (1..=inequalities).for_each(|k| line(&[b"pol", k.to_string().as_bytes()]));
                }
                [b"l", constraint] => line(&[b"pol", constraint]),
                [b"p" | b"pol", ref operations @ ..] => {
                    let next = operations.iter().skip(1).copied().chain([&b""[..]]);
                    let operand = |(&token, next): (&&[u8], &[u8])| match next {
                        b"*" | b"d" => token.to_vec(),
                        _ => shifted(token),
                    };
                    let operands: Vec<_> = operations.iter().zip(next).map(operand).collect();
                    let words: Vec<&[u8]> =
                        [&b"pol"[..]].into_iter().chain(operands.iter().map(Vec::as_slice)).collect();
                    line(&words);
                }
                [rule @ (b"d" | b"del" | b"core"), ref numbers @ ..] => {
                    let rule = if rule == b"d" { &b"del id"[..] } else { rule };
                    let numbers: Vec<_> = numbers.iter().map(|token| shifted(token)).collect();
                    let words: Vec<&[u8]> =
                        [rule].into_iter().chain(numbers.iter().map(Vec::as_slice)).collect();
                    line(&words);
                }
                [b"c", constraint] => {
                    line(&[b"output NONE\nconclusion UNSAT :", &shifted(constraint)]);
                    line(&[b"end pseudo-Boolean proof"]);
                    break;
                }
                ref words => line(words),
            }
        }
        Some(text)
    }
}
