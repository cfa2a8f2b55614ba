//! Parities, colourings and cliques of random graphs.

use super::graph::{Graph, pairs};
use super::{AMO, amo, bounded, new_vars};
use crate::Formula;
use chacha20::ChaCha8Rng;
use counterpoint_core::errors::GenerateError;
use counterpoint_core::problem::{Param, Params};
use counterpoint_encodings::{EncodingSize, Lit, Parity, Sink};
use rand::RngExt;

/// Parameters of [`parity`].
pub(super) const PARITY: &[Param] = &[
    Param::number("n", 12.0, 2.0, 1e6),
    Param::number("degree", 3.0, 1.0, 1e6),
    Param::word("charge", &["odd", "even"]),
    Param::word("xor", &Parity::NAMES),
];

/// A Tseitin formula on a random regular graph (G. Tseitin 1968; A. Urquhart, *Hard examples for resolution*, JACM
/// 1987). Each vertex has a charge, odd or even, and the number of its edges that are true has that parity (variable i
/// is edge i, in lexicographic order). The charges are random.
///
/// The sum over all vertices of a component counts each edge twice. So the formula is unsatisfiable if the charges of
/// some component have an odd sum, and satisfiable otherwise. With `charge=odd`, exactly one component has an odd sum;
/// with `charge=even`, none has.
pub(super) fn parity(params: &Params, rng: &mut ChaCha8Rng) -> Result<Formula, GenerateError> {
    let [n, degree] = ["n", "degree"].map(|key| params.whole(key));
    let encoding = Parity::from_name(params.word("xor")).unwrap_or(Parity::DEFAULT);
    let of_vertex = match encoding.size(degree.into()) {
        None => EncodingSize { vars: 0, clauses: 1 },
        // The direct encoding supports at most 30 literals.
        Some(_) if encoding == Parity::Direct && degree > 30 => EncodingSize { vars: 0, clauses: u64::MAX },
        Some(size) => size,
    };
    let (n_wide, d_wide) = (u64::from(n), u64::from(degree));
    let longest = if encoding == Parity::Direct { d_wide } else { d_wide.min(4) };
    let EncodingSize { vars, clauses } = of_vertex * n_wide;
    bounded(n_wide * d_wide / 2 + vars, clauses, clauses.saturating_mul(longest))?;
    let graph = Graph::regular(n, degree, rng)?;

    // The charges are those for which a random assignment is a model. With `charge=odd`, one charge is then changed,
    // which makes the sum of its component odd.
    let edges: Vec<bool> = graph.edges.iter().map(|_| rng.random()).collect();
    let odd = (params.word("charge") == "odd").then(|| rng.random_range(0..n as usize));
    let mut formula = Formula::default();
    new_vars(&mut formula.cnf, edges.len() as u32);
    for (vertex, incident) in graph.incidences().into_iter().enumerate() {
        let sum = incident.iter().filter(|edge| edges[**edge as usize]).count() % 2 == 1;
        let charge = sum != (odd == Some(vertex));
        let lits: Vec<Lit> = incident.into_iter().map(Lit::positive).collect();
        match encoding {
            Parity::Native => formula.parities.push((lits, charge)),
            encoding => encoding.encode(&mut formula.cnf, &lits, charge),
        }
    }
    Ok(formula)
}

/// Parameters of [`colouring`].
pub(super) const COLOURING: &[Param] = &[
    Param::number("n", 20.0, 1.0, 1e6),
    Param::number("k", 3.0, 1.0, 1e3),
    Param::number("degree", 4.5, 0.0, 1e6),
    Param::word("graph", &["random", "regular"]),
    AMO,
];

/// Each vertex of a random graph has exactly one of k colours, and the ends of an edge differ (variable v·k + c: vertex
/// v has colour c). The graph is regular, or uniform among the graphs with `n`·`degree`/2 edges, rounded. The formula
/// may be satisfiable or not.
pub(super) fn colouring(params: &Params, rng: &mut ChaCha8Rng) -> Result<Formula, GenerateError> {
    let [n, k] = ["n", "k"].map(|key| params.whole(key));
    let (degree, amo) = (params.real("degree"), amo(params));
    let is_regular = params.word("graph") == "regular";
    if is_regular && degree.fract() != 0.0 {
        return Err(format!("a regular graph has a whole degree, not {degree}").into());
    }
    let (n_wide, k_wide) = (u64::from(n), u64::from(k));
    let m = (degree * f64::from(n) / 2.0).round() as u64;
    let of_vertex = amo.at_most_one_size(k_wide);
    let clauses = n_wide * (1 + of_vertex.clauses) + m * k_wide;
    bounded(n_wide * (k_wide + of_vertex.vars), clauses, n_wide * k_wide + 2 * m * k_wide)?;
    let graph = match is_regular {
        true => Graph::regular(n, degree as u32, rng)?,
        false => Graph::with_edges(n, m, rng)?,
    };

    let mut formula = Formula::default();
    let cnf = &mut formula.cnf;
    new_vars(cnf, n * k);
    let has = |vertex: u32, colour: u32| Lit::positive(vertex * k + colour);
    cnf.group("each vertex has exactly one colour");
    for vertex in 0..n {
        amo.exactly_one(cnf, &(0..k).map(|colour| has(vertex, colour)).collect::<Vec<_>>());
    }
    cnf.group("the ends of an edge differ");
    for &(a, b) in &graph.edges {
        (0..k).for_each(|colour| cnf.clause(&[!has(a, colour), !has(b, colour)]));
    }
    Ok(formula)
}

/// Parameters of [`clique`].
pub(super) const CLIQUE: &[Param] = &[
    Param::number("n", 20.0, 1.0, 5e3),
    Param::number("k", 5.0, 1.0, 1e3),
    Param::number("p", 0.5, 0.0, 1.0),
    Param::word("order", &["ascending", "any"]),
    AMO,
];

/// The random graph G(n, p) has a clique of k vertices (variable i·n + v: vertex v is member i). Members are distinct
/// and joined by edges; `order=ascending` numbers them in ascending order, which breaks the symmetry. The formula may
/// be satisfiable or not.
pub(super) fn clique(params: &Params, rng: &mut ChaCha8Rng) -> Result<Formula, GenerateError> {
    let [n, k] = ["n", "k"].map(|key| params.whole(key));
    let (is_ascending, amo) = (params.word("order") == "ascending", amo(params));
    let (n_wide, k_wide) = (u64::from(n), u64::from(k));
    let graph = Graph::binomial(n, params.real("p"), rng);
    let n_pairs = |n: u64| n * n.saturating_sub(1) / 2;
    let non_edges = n_pairs(n_wide) - graph.edges.len() as u64;
    let (of_member, of_vertex) = (amo.at_most_one_size(n_wide), amo.at_most_one_size(k_wide));
    let forbidden = if is_ascending { n_pairs(n_wide) + non_edges } else { 2 * non_edges };
    let clauses = k_wide * (1 + of_member.clauses) + n_wide * of_vertex.clauses + n_pairs(k_wide) * forbidden;
    let vars = k_wide * (n_wide + of_member.vars) + n_wide * of_vertex.vars;
    bounded(vars, clauses, 2 * clauses + k_wide * n_wide)?;

    let mut formula = Formula::default();
    let cnf = &mut formula.cnf;
    new_vars(cnf, n * k);
    let is_member = |member: u32, vertex: u32| Lit::positive(member * n + vertex);
    cnf.group("each member is exactly one vertex");
    for member in 0..k {
        amo.exactly_one(cnf, &(0..n).map(|vertex| is_member(member, vertex)).collect::<Vec<_>>());
    }
    cnf.group("a vertex is at most one member");
    for vertex in 0..n {
        amo.at_most_one(cnf, &(0..k).map(|member| is_member(member, vertex)).collect::<Vec<_>>());
    }
    for (i, j) in pairs(k) {
        let mut forbid = |u, v| cnf.clause(&[!is_member(i, u), !is_member(j, v)]);
        if is_ascending {
            pairs(n).for_each(|(u, v)| forbid(v, u));
        }
        for (u, v) in graph.non_edges() {
            forbid(u, v);
            if !is_ascending {
                forbid(v, u);
            }
        }
    }
    Ok(formula)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::dpll::dpll;
    use counterpoint_core::engine::Budget;
    use itertools::Itertools;
    use rand::SeedableRng;

    fn params(known: &[Param], given: &[(&str, &str)]) -> Params {
        let given: Vec<_> = given.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        Params::new(known, &given).unwrap()
    }

    fn is_satisfiable(formula: &Formula) -> bool {
        dpll(formula, &mut Budget::unlimited()).unwrap().is_some()
    }

    /// `colouring` and `clique` draw their graph first, so a test that draws with the same seed gets the same graph.
    fn rng(seed: u64) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(seed)
    }

    #[test]
    fn a_colouring_exists_iff_the_formula_has_a_model() {
        let mut found = [0; 2];
        for seed in 0..60 {
            for (k, degree) in [(2, "1.5"), (3, "4.5"), (4, "5.75")] {
                let graph =
                    Graph::with_edges(8, (8.0 * degree.parse::<f64>().unwrap() / 2.0) as u64, &mut rng(seed));
                let is_proper = |colours: &u32| {
                    let colour = |v: u32| colours / u32::pow(k, v) % k;
                    graph.as_ref().unwrap().edges.iter().all(|&(a, b)| colour(a) != colour(b))
                };
                let expected = (0..u32::pow(k, 8)).any(|colours| is_proper(&colours));
                let given = [("n", "8"), ("degree", degree), ("k", &k.to_string())];
                let formula = colouring(&params(COLOURING, &given), &mut rng(seed)).unwrap();
                assert_eq!(is_satisfiable(&formula), expected);
                found[usize::from(expected)] += 1;
            }
        }
        assert!(found.iter().all(|&count| count > 20), "{found:?}");
    }

    #[test]
    fn a_clique_exists_iff_the_formula_has_a_model() {
        let mut found = [0; 2];
        for seed in 0..60 {
            for (k, order, amo) in
                [(3, "any", "ladder"), (4, "any", "pairwise"), (4, "ascending", "bimander")]
            {
                let graph = Graph::binomial(8, 0.5, &mut rng(seed));
                let others: Vec<_> = graph.non_edges().collect();
                let is_clique = |vertices: &[u32]| {
                    vertices.iter().array_combinations().all(|[&a, &b]| !others.contains(&(a, b)))
                };
                let expected = (0..8).combinations(k).any(|vertices| is_clique(&vertices));
                let given = [("n", "8"), ("k", &k.to_string()), ("order", order), ("amo", amo)];
                let formula = clique(&params(CLIQUE, &given), &mut rng(seed)).unwrap();
                assert_eq!(is_satisfiable(&formula), expected);
                found[usize::from(expected)] += 1;
            }
        }
        assert!(found.iter().all(|&count| count > 20), "{found:?}");
    }
}
