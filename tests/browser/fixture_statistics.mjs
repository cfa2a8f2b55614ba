// Tests and intervals for fixtures: of the right shape and near the right numbers, by the shortest means (normal
// approximations). The program computes the real ones, and its own tests hold those against scipy.

/** A block for everything and, where there are several, one a family. */
export function statistics(rows, engines, x) {
  const families = [...new Set(rows.map((row) => row.family))];
  const scopes = [{}, ...(families.length > 1 ? families.map((family) => ({ family })) : [])];
  return scopes.map((scope) => block(rows.filter((row) => !scope.family || row.family === scope.family), scope, engines, x));
}

function block(rows, scope, engines, x) {
  const served = rows.filter((row) => row.verdict !== "unsupported");
  const instances = new Map();
  for (const row of served) {
    if (!instances.has(row.instance)) instances.set(row.instance, engines.map(() => []));
    instances.get(row.instance)[engines.indexOf(row.engine)].push(row);
  }
  const matrix = [...instances.values()].map((cells) => cells.map((runs) => (runs.length === 0 ? null : {
    par: runs.reduce((sum, run) => sum + par2(run), 0) / runs.length,
    solved: runs.filter(solved).length / runs.length,
    limit: runs[0].limits_cpu_s ?? 10,
  })));
  const whole = matrix.filter((cells) => cells.every((cell) => cell));
  const totals = engines.map((_, e) => whole.reduce((sum, cells) => sum + cells[e].par, 0));
  const order = engines.map((_, e) => e).sort((a, b) => totals[a] - totals[b]);
  return {
    scope,
    engines,
    instances: matrix.length,
    solved_value: values(whole, engines, (cell) => cell.solved),
    seconds_value: values(whole, engines, (cell) => 2 * cell.limit - cell.par),
    single_best: whole.length > 0 ? order[0] : null,
    pairs: pairs(matrix, engines),
    ranking: whole.length > 0 ? order.map((e) => [e]) : [],
    crossover: x ? { a: 0, b: engines.length - 1, x, n: null, low: null, high: null, share: 0, words: `${engines[order[0]]} is ahead throughout` } : null,
  };
}

const solved = (row) => row.verdict === "decided" && row.check === "checked" && !row.contradicts;
const par2 = (row) => (solved(row) ? row.cpu_s : 2 * (row.limits_cpu_s ?? 10));

function values(whole, engines, score) {
  const marginal = engines.map(() => 0);
  const shapley = engines.map(() => 0);
  for (const cells of whole) {
    const scores = cells.map(score);
    engines.forEach((_, e) => { marginal[e] += Math.max(...scores) - Math.max(0, ...scores.filter((_, o) => o !== e)); });
    const ascending = engines.map((_, e) => e).sort((a, b) => scores[a] - scores[b]);
    let sum = 0;
    let before = 0;
    ascending.forEach((e, i) => {
      sum += (scores[e] - before) / (engines.length - i);
      before = scores[e];
      shapley[e] += sum;
    });
  }
  return { marginal, shapley };
}

function pairs(matrix, engines) {
  const found = [];
  for (let a = 0; a < engines.length; a += 1) for (let b = a + 1; b < engines.length; b += 1) {
    const differences = matrix.filter((cells) => cells[a] && cells[b]).map((cells) => cells[a].par - cells[b].par);
    if (differences.length < 2) continue;
    const n = differences.length;
    const mean = differences.reduce((sum, d) => sum + d, 0) / n;
    const error = Math.sqrt(differences.reduce((sum, d) => sum + (d - mean) ** 2, 0) / (n - 1) / n);
    found.push({ a, b, instances: n, delta_par2_s: mean, low: mean - 1.96 * error, high: mean + 1.96 * error,
      wilcoxon_p: wilcoxon(differences), holm_p: null,
      wins: differences.filter((d) => d < 0).length, losses: differences.filter((d) => d > 0).length, ties: differences.filter((d) => d === 0).length });
  }
  let worst = 0;
  [...found].sort((p, q) => p.wilcoxon_p - q.wilcoxon_p).forEach((pair, i) => {
    worst = Math.max(worst, Math.min(1, pair.wilcoxon_p * (found.length - i)));
    pair.holm_p = worst;
  });
  return found;
}

function wilcoxon(differences) {
  const kept = differences.filter((d) => d !== 0).sort((a, b) => Math.abs(a) - Math.abs(b));
  const n = kept.length;
  if (n === 0) return 1;
  const plus = kept.reduce((sum, d, i) => sum + (d > 0 ? i + 1 : 0), 0);
  const z = Math.abs(plus - n * (n + 1) / 4) / Math.sqrt(n * (n + 1) * (2 * n + 1) / 24);
  return Math.min(1, 2 * (1 - cdf(z)));
}

/** The normal distribution, after Abramowitz and Stegun 26.2.17. */
function cdf(z) {
  const t = 1 / (1 + 0.2316419 * z);
  const tail = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI)
    * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - tail;
}
