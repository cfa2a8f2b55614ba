// The answers of the playground's module are those of the program, byte by byte: a thousand boards of each problem, each solved by a
// search and by a SAT engine.
//
// One solver is an exception: varisat takes the numbers of freed variables from a hash set, whose order depends on the width of a
// machine word. So if an engine adds variables between calls, as those of Ships do, varisat may find other models in the
// module, which is a 32-bit program. Such answers have the same outcome and the same claims, and are checked.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { asker, library } from "./playground_made.mjs";
import { counterpoint } from "./lesson_pages.mjs";

/** For each problem, families with their parameters and the number of boards of each. */
const BOARDS = {
  flip: [["random", 200, ["n=3"]], ["solvable", 200, ["n=4"]], ["random", 100, ["w=5", "h=4"]], ["impossible", 200, ["n=4"]], ["few", 200, ["n=5"]], ["deep", 100, ["n=3"]]],
  ships: [["random", 400, ["n=8", "reveal=0.7"]], ["packed", 300, ["n=7"]], ["contradictory", 300, ["n=9"]]],
  spot: [["random", 300, ["n=3"]], ["late", 200, ["n=5"]], ["turned", 200, []], ["mirror", 100, ["n=4"]], ["smudged", 200, ["n=2", "unknown=2"]]],
};
const ENGINES = { flip: ["search", "sat"], ships: ["search", "sat@batsat", "sat"], spot: ["search:fill", "sat"] };
/** The engine of which only outcome and claims are compared. */
const isFree = (problem, engine) => problem === "ships" && engine === "sat";
const program = process.env.PROGRAM ?? new URL("../../target/debug/counterpoint", import.meta.url).pathname;

for (const [problem, families] of Object.entries(BOARDS)) {
  test(`${problem}: a thousand boards are generated and solved as by the program`, async () => {
    const ask = await asker();
    assert.equal(families.reduce((sum, [, number]) => sum + number, 0), 1000);
    for (const [family, number, given] of families) {
      const params = given.map((param) => param.split("="));
      const boards = Array.from({ length: number }, (_, i) => ask({ ask: "generate", problem, family, params, seed: i + 1 }).text);
      const text = counterpoint("generate", problem, family, ...given, "--seed", "1", "--count", String(number));
      assert.deepEqual(boards.map((board) => ask({ ask: "read", problem, text: board }).text), boards);
      for (const engine of ENGINES[problem]) {
        const native = execFileSync(program, ["solve", problem, "-", "--engine", engine, "--json"], { input: text, encoding: "utf8", maxBuffer: 1 << 28 });
        const lines = native.trimEnd().split("\n");
        assert.equal(lines.length, number);
        boards.forEach((board, i) => {
          const { answer, verdict } = ask({ ask: "solve", board: { problem, text: board }, engine });
          const place = `${family} ${given} seed ${i + 1} ${engine}`;
          if (isFree(problem, engine)) {
            const { outcome, claims } = JSON.parse(lines[i]);
            assert.deepEqual([answer.outcome, answer.claims], [outcome, claims], place);
          } else assert.equal(JSON.stringify(answer), lines[i], place);
          assert.equal(verdict, "checked");
        });
      }
    }
  });
}

test("nothing that is asked stops the module", async () => {
  const ask = await library();
  const board = { problem: "flip", text: "bw\nww\n" };
  const requests = [
    "", "{", "[]", "{}", "\u0000", "x".repeat(5_000_000), '{"ask":"nothing"}', '{"ask":"solve"}', '{"ask":"read","problem":"flip"}',
    { ask: "read", problem: "chess", text: "" }, { ask: "read", problem: "flip", text: "" },
    { ask: "read", ...board, game: 0 }, { ask: "read", ...board, game: 99 }, { ask: "read", ...board, rules: [["size", "0x0"]] },
    { ask: "read", ...board, rules: [["no", "rule"]] }, { ask: "read", problem: "flip", text: "b".repeat(2 << 20) },
    { ask: "solve", board, engine: "sat:*" }, { ask: "solve", board, engine: "nothing" }, { ask: "solve", board: { ...board, game: 7 }, engine: "sat" },
    { ask: "solve", board, engine: "sat", work: 0 }, { ask: "explain", answer: {} }, { ask: "explain", answer: { problem: "flip" } },
    { ask: "size", board, engine: "search" }, { ask: "lesson", board, engine: "sat", answer: {} },
    { ask: "touch", board, touch: { board: 3, from: [0, 0], to: [0, 0] } }, { ask: "touch", board, touch: { board: 0, from: [9, 0], to: [0, 0] } },
    { ask: "touch", board, touch: { board: 0, from: [-1, 0], to: [0, 0] } },
    { ask: "generate", problem: "flip", family: "random", params: [["n", "100000"]], seed: 1 }, { ask: "generate", problem: "flip", family: "none", seed: 1 },
    // An address of a problem that the page does not offer, with a valid check.
    { ask: "open", address: JSON.parse(ask({ ask: "share", problem: "cnf", rules: [], engines: [], game: 1, text: "p cnf 0 0\n" })).address },
    { ask: "open", address: "flip?game=1" }, { ask: "open", address: "%ff&check=000000000000" },
  ];
  for (const request of requests) {
    const found = JSON.parse(ask(request));
    const isAnswer = request.work === 0 ? found.limit === "work limit" : found.error !== undefined || (request.game !== undefined && found.games === 1);
    assert.ok(isAnswer, `${JSON.stringify(request).slice(0, 80)}: ${JSON.stringify(found).slice(0, 200)}`);
  }
  assert.equal(JSON.parse(ask({ ask: "read", ...board })).games, 1);
});
