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

test("each board appears once; with a group switched off, wrong boards come first", async () => {
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
