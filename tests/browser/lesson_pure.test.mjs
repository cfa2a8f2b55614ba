// The reasoning in lessons against brute force, without a document: propagation, conflicts, learnt clauses, solving.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadLesson, made, models, solver } from "./lesson_made.mjs";

/** Reproducible random numbers: the linear congruential generator of Numerical Recipes. */
function chance(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A random formula of clauses with one to four literals. */
function formula(random, count) {
  const clauses = Array.from({ length: 2 + random(4 * count) }, () => {
    const variables = new Set(Array.from({ length: 1 + random(3) + (random(3) > 0 ? 1 : 0) }, () => 1 + random(count)));
    return { lits: [...variables].map((variable) => (random(2) ? variable : -variable)), constraint: 0 };
  });
  return { count, clauses };
}

const holds = (model, lit) => model[Math.abs(lit)] === Math.sign(lit);

test("every step follows, every learnt clause is entailed, and a complete walk decides the formula", () => {
  const { startWalk, stateOf, forward, decideIn, analyse } = loadLesson("startWalk", "stateOf", "forward", "decideIn", "analyse");
  const random = chance(7);
  const met = { unit: 0, conflict: 0, learnt: 0, back: 0, refuted: 0, complete: 0 };
  for (let round = 0; round < 1500; round += 1) {
    const given = formula(random, 3 + random(6));
    const all = models(given.count, given.clauses.map(({ lits }) => lits));
    for (let walk = startWalk(given), steps = 0; ; steps += 1) {
      assert.ok(steps < 5000, "a walk ends");
      const state = stateOf(walk), { event } = state;
      if (event.kind in met) met[event.kind] += 1;
      const settled = new Map(state.trail.map(({ lit }) => [Math.abs(lit), lit]));
      assert.equal(settled.size, state.trail.length, "no variable is settled twice");
      const isFalse = (lit) => settled.get(Math.abs(lit)) === -lit;
      if (event.kind === "unit") {
        assert.ok(event.clause.lits.includes(event.lit) && event.clause.lits.every((lit) => lit === event.lit || isFalse(lit)));
        // The literal is true in every model of the formula that agrees with the decisions so far.
        const decisions = state.trail.filter(({ reason }) => reason === null).map(({ lit }) => lit);
        assert.ok(all.every((model) => !decisions.every((lit) => holds(model, lit)) || holds(model, event.lit)));
      }
      if (event.kind === "conflict") assert.ok(event.clause.lits.every(isFalse));
      if (event.kind === "learnt") {
        assert.ok(all.every((model) => event.clause.lits.some((lit) => holds(model, lit))), "entailed");
        assert.ok(event.clause.lits.every(isFalse), "false where it was learnt");
        const level = new Map(state.trail.map((entry) => [Math.abs(entry.lit), entry.level]));
        const levels = event.clause.lits.map((lit) => level.get(Math.abs(lit)));
        const top = Math.max(...levels);
        assert.equal(levels.filter((one) => one === top).length, 1, "one literal of the last level");
        assert.equal(Math.max(0, ...levels.filter((one) => one < top)), event.level);
        // The clauses in `used` suffice to derive the learnt clause.
        assert.equal(models(given.count, [...event.used.map(({ lits }) => lits), ...event.clause.lits.map((lit) => [-lit])]).length, 0);
        assert.deepEqual([...analyse(state.trail, event.conflict).lits], [...event.clause.lits]);
      }
      if (event.kind === "refuted") {
        assert.equal(all.length, 0);
        assert.equal(models(given.count, event.used.map(({ lits }) => lits)).length, 0);
        break;
      }
      const there = forward(walk);
      if (there !== null) { walk = there; continue; }
      const open = Array.from({ length: given.count }, (_, i) => i + 1).find((variable) => !settled.has(variable));
      if (open === undefined) {
        met.complete += 1;
        assert.ok(all.some((model) => state.trail.every(({ lit }) => holds(model, lit))), "a complete assignment is a model");
        break;
      }
      // If there is no further step, every clause has a true literal or at least two unassigned ones.
      for (const { lits } of [...given.clauses, ...state.learnt]) {
        assert.ok(lits.some((lit) => settled.get(Math.abs(lit)) === lit) || lits.filter((lit) => !settled.has(Math.abs(lit))).length > 1);
      }
      walk = decideIn(walk, random(2) ? open : -open);
    }
  }
  for (const [kind, times] of Object.entries(met)) assert.ok(times > 20, `${kind}: ${times}`);
});

test("a walk goes back and forth through the same states, and a new decision discards the states after it", () => {
  const { startWalk, stateOf, forward, backward, decideIn, rewind, takeBack, settle } = loadLesson("startWalk", "stateOf", "forward", "backward", "decideIn", "rewind", "takeBack", "settle");
  const lesson = made();
  const given = { count: 5, clauses: lesson.constraints.flatMap(({ clauses }, constraint) => clauses.map((lits) => ({ lits, constraint }))) };
  let walk = settle(decideIn(decideIn(decideIn(startWalk(given), 1), 5), -2));
  const length = walk.states.length;
  assert.ok(length > 4);
  const there = walk.states;
  for (let at = length - 1; at > 0; at -= 1) walk = backward(walk);
  assert.equal(backward(walk), null);
  assert.equal(stateOf(walk).event.kind, "start");
  for (let at = 1; at < length; at += 1) {
    walk = forward(walk);
    assert.equal(stateOf(walk), there[at]);
  }
  assert.equal(stateOf(rewind(walk)).trail.length, 2);
  assert.equal(takeBack(walk, 1).at, 0);
  assert.equal(takeBack(walk, 3), walk, "an implied literal is not taken back");
  const other = decideIn(takeBack(walk, 5), -5);
  assert.equal(other.states.length, 3);
  assert.deepEqual([...stateOf(other).trail.map(({ lit }) => lit)], [1, -5]);
  // A variable that has a value cannot be decided.
  assert.equal(decideIn(walk, -1), walk);
});

test("the path to a conflict gives a learnt clause of at least two literals", () => {
  const { toConflict, settle, stateOf, forward } = loadLesson("toConflict", "settle", "stateOf", "forward");
  const lesson = made();
  const given = { count: 5, clauses: lesson.constraints.flatMap(({ clauses }, constraint) => clauses.map((lits) => ({ lits, constraint }))) };
  let walk = toConflict(given, [1, -1, 2, -2, 3, -3, 4, -4, 5, -5]);
  assert.equal(walk.at, 0);
  while (stateOf(walk).event.kind !== "conflict") walk = forward(walk);
  assert.ok(stateOf(forward(walk)).event.clause.lits.length > 1);
  // If the decisions lead to no conflict, there is no such path. Without a model, the conflict is at level 0.
  assert.equal(toConflict({ count: 2, clauses: [{ lits: [1, 2], constraint: 0 }, { lits: [-1, -2], constraint: 0 }] }, [1, -1, 2, -2]), null);
  const refuted = toConflict({ count: 1, clauses: [[1], [-1]].map((lits) => ({ lits, constraint: 0 })) }, [1, -1]);
  assert.equal(settle(refuted).states.at(-1).event.kind, "conflict");
});

test("the solver in WebAssembly agrees with brute force, also under assumptions", async () => {
  const solve = await solver(), random = chance(11);
  const met = [0, 0];
  for (let round = 0; round < 300; round += 1) {
    const { count, clauses } = formula(random, 3 + random(7));
    const lists = clauses.map(({ lits }) => lits), assumed = round % 2 ? [1 + random(count)].map((v) => (random(2) ? v : -v)) : [];
    const all = models(count, [...lists, ...assumed.map((lit) => [lit])]);
    const found = solve(count, lists, assumed);
    assert.equal(found === null, all.length === 0);
    if (found) assert.ok([...lists, ...assumed.map((lit) => [lit])].every((lits) => lits.some((lit) => holds(found, lit))));
    met[found === null ? 0 : 1] += 1;
  }
  assert.ok(met.every((times) => times > 40), met.join());
  assert.equal(solve(1, [[]], []), null);
  assert.throws(() => solve(1, [[2]], []), /malformed/);
  // A pigeonhole formula, which unit propagation does not refute.
  const at = (pigeon, hole) => 1 + 6 * pigeon + hole, places = [...Array(6).keys()], birds = [...Array(7).keys()];
  const holes = [...birds.map((p) => places.map((h) => at(p, h))), ...places.flatMap((h) => birds.flatMap((p) => birds.slice(0, p).map((q) => [-at(p, h), -at(q, h)])))];
  assert.equal(solve(42, holes, []), null);
});

test("each board appears once; with a group switched off, wrong solutions come first", async () => {
  const solve = await solver();
  const { boardsOf, broken } = loadLesson("boardsOf", "broken");
  const clause = (group, ...lits) => ({ group, kind: "clause", lits, clauses: [lits] });
  // Exactly one of three variables is true, and not the third.
  const lesson = { variables: [{}, {}, {}], shown: null, constraints: [clause(0, 1, 2, 3), clause(1, -1, -2), clause(1, -1, -3), clause(1, -2, -3), clause(2, -3)] };
  const all = (isOn) => [...boardsOf(solve, lesson, isOn)].map((model) => ({ model: [...model].slice(1).join(), wrong: broken(lesson, model).length }));
  const right = all(() => true);
  assert.deepEqual(right.map(({ model }) => model).sort(), ["-1,1,-1", "1,-1,-1"]);
  assert.ok(right.every(({ wrong }) => wrong === 0));
  const lists = lesson.constraints.flatMap(({ group, clauses }) => (group === 1 ? [] : clauses));
  const wrong = all((group) => group !== 1);
  assert.deepEqual(wrong.map(({ model }) => model), ["1,1,-1"]);
  assert.ok(wrong.every((one) => one.wrong > 0) && models(3, lists).length === 3);
  // If the group that is switched off follows from the rest, no board is wrong, and the correct boards appear.
  lesson.constraints.push(clause(3, 1, 2));
  assert.deepEqual(all((group) => group !== 3).map(({ model, wrong: n }) => `${model}:${n}`).sort(), ["-1,1,-1:0", "1,-1,-1:0"]);
});

test("sentences have premises, alternatives and parities; squares are found by their literals", () => {
  const { clauseParts, constraintParts, textOf, squaresByVariable, lightOf, groundOf } = loadLesson("clauseParts", "constraintParts", "textOf", "squaresByVariable", "lightOf", "groundOf");
  const names = ["a", "b", "c"], text = (lits) => textOf(clauseParts(lits), names);
  assert.deepEqual([[], [1], [-1], [-1, -2], [-1, -2, -3], [1, 2], [-1, 2], [-1, -2, 3], [3, -1, 2]].map(text), ["this cannot be", "a", "not a", "not both a and b",
    "not all of: a, b, c", "at least one of: a, b", "if a then b", "if a and b then c", "if a then c or b"]);
  assert.equal(textOf(constraintParts({ kind: "odd", lits: [1, -2] }), names), "an odd number of: a, not b");
  const lesson = made(), shownBy = squaresByVariable(lesson);
  assert.deepEqual(shownBy.map((keys) => [...keys].join()), ["0.0.0", "0.0.1", "0.0.2", "0.0.3", "0.1.0"]);
  assert.deepEqual([...lightOf(lesson, shownBy, [1])], ["0.0.0"]);
  assert.deepEqual([...lightOf(lesson, shownBy, lesson.constraints[0].lits)].sort(), ["0.0.0", "0.0.1", "0.0.2", "0.1.0", "0.2.0"]);
  // A variable that no square shows highlights the squares of the variables that share a clause with it.
  const { lightByVariable } = loadLesson("lightByVariable");
  const hidden = { variables: [{}, {}, {}], constraints: [[-3, 1], [-3, 2], [1, -2]].map((lits) => ({ lits })), scene: [] };
  assert.deepEqual([...lightByVariable(hidden, [["a"], ["b"], []])].map((keys) => [...keys].join()), ["a", "b", "a,b"]);
  const [, , after] = lesson.scene[0].boards;
  assert.deepEqual(after.squares.map((square) => groundOf(square, [0, 1, -1, 0, 0, 0])), ["white", "black", "black", "white"]);
});

test("what follows in an exercise is entailed", () => {
  const { whatFollows, nameOf } = loadLesson("whatFollows", "nameOf");
  const names = ["a", "b", "c", "d"], clauses = [[-1, 2], [-2, -3, 4], [1, 3]];
  const lesson = {
    variables: names.map((name) => ({ name })), groups: ["all"], scene: [],
    constraints: clauses.map((lits) => ({ group: 0, kind: "clause", lits, clauses: [lits] })),
  };
  const { question, solution } = whatFollows(lesson, names);
  const lits = [...names.keys()].flatMap((i) => [i + 1, -i - 1]), named = (name) => lits.find((lit) => nameOf(names, lit) === name);
  const decided = /^Decide: (.*)\. What/.exec(question)[1].split("; ").map(named), follows = solution.slice(0, -1).split("; ").map(named);
  assert.ok(follows.length > 0);
  const left = models(4, [...clauses, ...decided.map((lit) => [lit])]);
  assert.ok(left.length > 0);
  for (const lit of follows) assert.ok(left.every((model) => model[Math.abs(lit)] === Math.sign(lit)), solution);
});

test("backtracking, DPLL and CDCL decide each formula as brute force does, and the search tree has a node for each value that was tried", () => {
  const { startWalk, stateOf, toNextConflict, isOver, treeOf, totalsOf, METHODS } = loadLesson("startWalk", "stateOf", "toNextConflict", "isOver", "treeOf", "totalsOf", "METHODS");
  const random = chance(23), met = { model: 0, none: 0, other: 0 };
  for (let round = 0; round < 250; round += 1) {
    const given = formula(random, 3 + random(5)), all = models(given.count, given.clauses.map(({ lits }) => lits));
    const lits = Array.from({ length: given.count }, (_, i) => (random(2) ? i + 1 : -i - 1));
    for (const method of Object.keys(METHODS)) {
      let walk = startWalk(given, method), conflicts = 0;
      for (let length = -1; walk.states.length > length;) {
        length = walk.states.length;
        walk = toNextConflict(walk, lits);
        if (stateOf(walk).event.kind === "conflict") conflicts += 1;
      }
      const { trail } = stateOf(walk), isModel = !isOver(walk);
      assert.equal(isModel, all.length > 0, method);
      met[isModel ? "model" : "none"] += 1;
      if (isModel) assert.ok(all.some((model) => trail.length === given.count && trail.every(({ lit }) => holds(model, lit))), "a model");
      const events = walk.states.map(({ event }) => event), number = (...kinds) => events.filter(({ kind }) => kinds.includes(kind)).length;
      if (method === "backtracking") assert.equal(number("unit", "learnt"), 0);
      if (method === "dpll") assert.equal(number("learnt", "back"), 0);
      met.other += number("other");
      // Without learning, no set of decisions is tried twice.
      if (method !== "cdcl") {
        const tried = walk.states.filter(({ event }) => ["decision", "other"].includes(event.kind)).map(({ trail: here }) => here.filter(({ reason }) => reason === null).map(({ lit }) => lit).join());
        assert.equal(new Set(tried).size, tried.length);
      }
      const nodes = treeOf(walk.states, isModel), ends = (end) => nodes.filter((node) => node.end === end).length;
      assert.equal(nodes.length - 1, number("decision", "other", "back"));
      assert.ok(conflicts === number("conflict") && ends("conflict") <= conflicts);
      assert.equal(ends("model"), isModel ? 1 : 0);
      assert.ok(nodes.slice(1).every(({ parent, depth }, i) => nodes.indexOf(parent) <= i && depth === parent.depth + 1));
      assert.equal(nodes.reduce((sum, { implied }) => sum + implied, 0), number("unit"));
      const path = nodes.filter(({ isOn, kind }) => isOn && ["decision", "other"].includes(kind)).map(({ lit }) => lit);
      assert.deepEqual([...path], [...trail.filter(({ reason }) => reason === null).map(({ lit }) => lit)], method);
      const totals = totalsOf(given, method, lits);
      assert.deepEqual({ ...totals }, { nodes: nodes.length - 1, conflicts, implied: number("unit"), end: isModel ? "model" : "none" });
    }
  }
  for (const [what, times] of Object.entries(met)) assert.ok(times > 50, `${what}: ${times}`);
  // A run that would take too long is stopped.
  assert.equal(totalsOf({ count: 2, clauses: [{ lits: [1, 2], constraint: 0 }] }, "cdcl", [1, 2], 1).end, null);
});

test("the cut of an implication graph yields the learnt clause; nodes do not overlap, and edges lead downwards", () => {
  const { startWalk, stateOf, forward, decideIn, analyse, conflictGraph, layout, MOST_NODES } = loadLesson("startWalk", "stateOf", "forward", "decideIn", "analyse", "conflictGraph", "layout", "MOST_NODES");
  const random = chance(5), met = { cut: 0, none: 0, part: 0, whole: 0, deep: 0 };
  for (let round = 0; round < 1200; round += 1) {
    // Every third formula has a long chain on level 1, of which the learnt clause needs only the end.
    const n = 15 + random(15), chain = Array.from({ length: n }, (_, i) => [-1 - i, 2 + i]);
    const ends = [[-n, -(n + 2), n + 3], [-n, -(n + 2), -(n + 3)]];
    const given = round % 3 === 0 ? { count: n + 3, clauses: [...chain, ...ends].map((lits) => ({ lits, constraint: 0 })) } : formula(random, 4 + random(6));
    let walk = startWalk(given);
    if (round % 3 === 0) walk = decideIn(decideIn(walk, 1), n + 2);
    for (let steps = 0; steps < 400 && stateOf(walk).event.kind !== "conflict"; steps += 1) {
      const there = forward(walk), settled = new Set(stateOf(walk).trail.map(({ lit }) => Math.abs(lit)));
      const open = Array.from({ length: given.count }, (_, i) => i + 1).filter((variable) => !settled.has(variable));
      if (there === null && open.length === 0) break;
      walk = there ?? decideIn(walk, open[random(open.length)] * (random(2) ? 1 : -1));
    }
    const { trail, event } = stateOf(walk);
    if (event.kind !== "conflict") continue;
    const graph = conflictGraph(trail, event.clause), { nodes, edges } = graph, { lits } = analyse(trail, event.clause);
    met[graph.isCut ? "cut" : "none"] += 1;
    met[nodes.length - 1 < graph.total ? "part" : "whole"] += 1;
    assert.ok(nodes.length - 1 < graph.total ? graph.total > MOST_NODES : nodes.length - 1 === graph.total);
    const crossing = new Set(edges.filter(({ crosses }) => crosses).map(({ from }) => -nodes[from].lit));
    assert.deepEqual([...crossing].sort(), [...lits].sort());
    assert.deepEqual([...nodes.filter(({ isLearnt }) => isLearnt).map(({ lit }) => -lit)].sort(), [...lits].sort());
    assert.equal(nodes.filter(({ isFirst }) => isFirst).length, graph.isCut ? 1 : 0);
    for (const { from, to } of edges) assert.ok(nodes[from].side !== "conflict" || nodes[to].side === "conflict", "edges cross the cut in one direction");
    // Every literal but a decision has the edges of its reason, unless only a part is shown.
    if (nodes.length - 1 === graph.total) {
      nodes.forEach(({ lit }, i) => {
        const from = lit === null ? event.clause.lits.length : (trail.find((entry) => entry.lit === lit).reason?.lits.length ?? 1) - 1;
        assert.equal(edges.filter(({ to }) => to === i).length, from);
      });
    }
    const size = ({ lit }) => ({ width: 40 + (Math.abs(lit ?? 0) % 5) * 13, height: 20 }), placed = layout(graph, size, { widest: 320, gap: 10, rise: 20 });
    const side = (i, sign, axis, of) => placed.boxes[i][axis] + (sign * placed.boxes[i][of]) / 2;
    nodes.forEach((one, i) => {
      assert.ok(side(i, -1, "x", "width") >= -0.01 && side(i, 1, "x", "width") <= placed.width + 0.01 && side(i, -1, "y", "height") >= -0.01 && side(i, 1, "y", "height") <= placed.height + 0.01);
      if (graph.isCut) assert.equal(placed.boxes[i].y > placed.cut, one.side === "conflict");
      nodes.slice(0, i).forEach((_, j) => {
        const isApart = (axis, of) => Math.abs(placed.boxes[i][axis] - placed.boxes[j][axis]) >= (placed.boxes[i][of] + placed.boxes[j][of]) / 2 - 0.01;
        assert.ok(isApart("x", "width") || isApart("y", "height"), "boxes do not overlap");
      });
    });
    placed.lines.forEach((points) => {
      if (points.length > 2) met.deep += 1;
      points.slice(1).forEach(({ y }, i) => assert.ok(y > points[i].y));
    });
  }
  for (const [what, times] of Object.entries(met)) assert.ok(times > 20, `${what}: ${times}`);
});

test("when nothing follows, two literals are watched in each clause that is not satisfied, and neither is false", () => {
  const { startWalk, stateOf, forward, decideIn, watchesAt, valuesOf, valueOf } = loadLesson("startWalk", "stateOf", "forward", "decideIn", "watchesAt", "valuesOf", "valueOf");
  const random = chance(3), met = { moves: 0, settled: 0, learnt: 0 };
  for (let round = 0; round < 150; round += 1) {
    const given = formula(random, 4 + random(5));
    let walk = startWalk(given);
    for (let steps = 0; steps < 60; steps += 1) {
      const state = stateOf(walk), { watched, moves, looked } = watchesAt(walk, walk.at), values = valuesOf(given.count, state.trail);
      assert.equal(watched.size, given.clauses.length + state.learnt.length);
      for (const [clause, pair] of watched) {
        assert.ok(pair.every((lit) => clause.lits.includes(lit)) && new Set(pair).size === Math.min(2, clause.lits.length));
      }
      assert.ok(moves.length <= looked);
      for (const { clause, from, to } of moves) {
        met.moves += 1;
        assert.equal(from, -state.trail.at(-1).lit);
        assert.ok(watched.get(clause).includes(to) && !watched.get(clause).includes(from) && valueOf(values, to) !== -1);
      }
      const there = forward(walk);
      if (state.event.kind === "refuted") break;
      if (there === null) {
        for (const [clause, pair] of watched) {
          if (clause.constraint === null) met.learnt += 1;
          if (clause.lits.some((lit) => valueOf(values, lit) === 1)) continue;
          met.settled += 1;
          assert.ok(pair.length === 2 && pair.every((lit) => valueOf(values, lit) === 0));
        }
        const open = Array.from({ length: given.count }, (_, i) => i + 1).find((variable) => values[variable] === 0);
        if (open === undefined) break;
        walk = decideIn(walk, random(2) ? open : -open);
      } else walk = there;
    }
  }
  for (const [what, times] of Object.entries(met)) assert.ok(times > 20, `${what}: ${times}`);
});

test("a breakpoint stops at the step that gives its variable a value", () => {
  const { startWalk, stateOf, onward, toNextConflict } = loadLesson("startWalk", "stateOf", "onward", "toNextConflict");
  const given = { count: 5, clauses: [[-1, 2], [-2, 3], [-3, 4], [-4, 5]].map((lits) => ({ lits, constraint: 0 })) };
  const isStop = ({ event }) => Math.abs(event.lit) === 3;
  const there = toNextConflict(startWalk(given), [1, 2, 3, 4, 5], isStop);
  assert.deepEqual([...stateOf(there).trail.map(({ lit }) => lit)], [1, 2, 3]);
  const on = onward(there, isStop);
  assert.deepEqual([...stateOf(on).trail.map(({ lit }) => lit)], [1, 2, 3, 4, 5]);
});

test("a bound is one more line, its group says what its helper variables mean, and a board has the fewest presses that count", async () => {
  const { withBound, withoutBound, setBound, numberIn, helperGroups, helperWords, helpersOf } = loadLesson("withBound", "withoutBound", "setBound", "numberIn", "helperGroups", "helperWords", "helpersOf");
  const solve = await solver(), clause = (lits) => ({ group: 0, kind: "clause", lits, clauses: [lits] });
  // Three presses, and a counter: h1, h2 and h3 are true if there are more than 0, 1 and 2.
  const counting = [[-1, 4], [-2, 4], [-3, 4], [-1, -2, 5], [-1, -3, 5], [-2, -3, 5], [-1, -2, -3, 6]];
  const names = (list) => list.map((name) => ({ name }));
  const given = { variables: names(["a", "b", "c"]), shown: [1, 2, 3], groups: ["some"], meanings: ["At least one."], scene: [], constraints: [clause([1, 2, 3])],
    minimised: { noun: "presses", group: "number of presses", meaning: "Counts.", least: 0, at_most: [-4, -5, -6], variables: names(["h1", "h2", "h3"]), constraints: counting.map(clause) } };
  const lesson = withBound(given), helpers = helperGroups(lesson);
  assert.deepEqual([lesson.groups.length, lesson.variables.length, lesson.constraints.length, lesson.bound.line], [2, 6, 9, 1]);
  assert.equal(JSON.stringify([...helpers]), "[[4,1],[5,1],[6,1]]");
  assert.equal(helpersOf(lesson, helpers, 1), "h1 to h3");
  assert.equal(helpersOf(lesson, helpers, 0), null);
  assert.match(helperWords(lesson, helpers, 5), /^h2 is a helper variable of the group “number of presses”.*no square.*more than 1 presses/);
  for (const model of models(3, [[1, 2, 3]])) {
    const wanted = model.filter((value) => value === 1).length;
    assert.equal(numberIn(solve, lesson, [...model, 1, 1, 1]), wanted);
    for (const most of [0, 1, 2]) {
      setBound(lesson, most);
      const clauses = lesson.constraints.flatMap((constraint) => constraint.clauses);
      assert.equal(solve(6, clauses, [1, 2, 3].map((variable) => variable * model[variable])) !== null, wanted <= most);
    }
  }
  assert.deepEqual([...withoutBound(lesson).constraints], given.constraints);
  assert.equal(withBound({ ...given, minimised: null }).bound, null);
});

test("in a large implication graph, literals with the same neighbours are drawn as one, and none is lost", () => {
  const { conflictGraph, grouped } = loadLesson("conflictGraph", "grouped");
  // A decision implies forty literals; together they violate a clause.
  const fan = Array.from({ length: 40 }, (_, i) => 2 + i), conflict = { lits: fan.map((lit) => -lit) };
  const trail = [{ lit: 1, level: 1, reason: null }, ...fan.map((lit) => ({ lit, level: 1, reason: { lits: [-1, lit] } }))];
  const whole = conflictGraph(trail, conflict), graph = grouped(whole);
  assert.equal(whole.nodes.length, 42);
  assert.deepEqual([...graph.nodes.map(({ members }) => members.length)], [1, 40, 1]);
  assert.deepEqual([...graph.edges.map(({ from, to, crosses }) => `${from}${to}${crosses}`)], ["01true", "12false"]);
  assert.deepEqual([...graph.nodes.flatMap(({ members }) => [...members]).filter((lit) => lit !== null)].sort((a, b) => a - b), [1, ...fan]);
  const small = conflictGraph(trail.slice(0, 9), { lits: fan.slice(0, 8).map((lit) => -lit) });
  assert.equal(grouped(small), small);
});
