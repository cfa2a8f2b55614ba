//! Tests of the checker for pseudo-Boolean proofs.

#![allow(clippy::unwrap_used, reason = "a test that cannot continue must panic")]

mod forged;
mod format;
mod hostile;
mod rules;

use crate::{Opb, ProofError, VeriPb};
use counterpoint_base::claim::Checked;

/// Four pigeons do not fit into three holes: `x1` to `x3` for the first pigeon, and so on.
const PIGEONS: &str = "\
* #variable= 12 #constraint= 7
+1 x1 +1 x2 +1 x3 >= 1 ;
+1 x4 +1 x5 +1 x6 >= 1 ;
+1 x7 +1 x8 +1 x9 >= 1 ;
+1 x10 +1 x11 +1 x12 >= 1 ;
-1 x1 -1 x4 -1 x7 -1 x10 >= -1 ;
-1 x2 -1 x5 -1 x8 -1 x11 >= -1 ;
-1 x3 -1 x6 -1 x9 -1 x12 >= -1 ;
";

/// A proof for `PIGEONS` that uses most rules.
const PROOF: &str = "\
pseudo-Boolean proof version 2.0
* a comment
f 7
pol 1 2 + 3 + 4 + 5 + 6 +
rup +1 ~x9 +1 ~x12 >= 1 ;
rup +1 ~x3 +1 ~x6 >= 1 ; 7
pol 8 x1 w ~x3 + 2 * s
del id 11
pol 7 x3 + x3 w
e +1 ~x6 +1 ~x9 +1 ~x12 >= 2 ; -1
ia +1 ~x6 +1 ~x9 >= 1 ; 12
red +1 a1 +1 ~x1 >= 1 ; a1 -> 1
red +1 ~a1 +1 x1 >= 1 ; a1 0
pol 8 7 +
core id 15
output NONE
conclusion UNSAT : -1
end pseudo-Boolean proof
";

fn check(formula: &str, proof: &str) -> Result<Checked, ProofError> {
    VeriPb::from(proof).check_opb(Opb::read(formula.as_bytes()).unwrap())
}

fn message(formula: &str, proof: &str) -> String {
    check(formula, proof).map_or_else(|error| error.to_string(), |_| "accepted".to_owned())
}
