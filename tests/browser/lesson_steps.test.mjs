// What a lesson shows of a solver's work, in a browser: sentences about groups, the clause of a step, the implication graph of a
// conflict, search trees, watched literals, breakpoints, previews, and the bound of Flip.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { loadLesson, solver } from "./lesson_made.mjs";
import { LESSONS, address, counterpoint, data } from "./lesson_pages.mjs";
import { launch, visit } from "./page.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const SIZES = [{ width: 1280, height: 720 }, { width: 1920, height: 1080 }, { width: 390, height: 844 }], [LARGE] = SIZES;
const CONFLICTS = LESSONS.filter(({ name }) => name !== "spot-2x2");

/** Opens a page and calls `use` with it. Afterwards, the page must have printed and requested nothing. */
const within = (name, options, use) => visit(browser, name.startsWith("file:") ? name : address(name), options, use);

const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);
const story = (page) => textOf(page, "#story");
const press = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };
const stepOf = async (page) => Number((await textOf(page, "#step")).replace("step ", ""));
const isShown = (page, selector) => page.$eval(selector, (element) => element.checkVisibility());

/** Fails if axe finds a fault. */
async function accessible(page, what) {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8"));
  const found = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, any }) => `${html} ${any.map(({ message }) => message)}`).join("; ")}`), [], what);
}

/** Writes the lesson of a board, and returns its address. */
function lessonOf(problem, text, ...options) {
  const folder = mkdtempSync(join(tmpdir(), "lesson-")), page = join(folder, "page.html");
  writeFileSync(join(folder, "board.txt"), text);
  counterpoint("solve", problem, join(folder, "board.txt"), ...options, "--page", page);
  return pathToFileURL(page).href;
}

test("each group has a sentence in the words of the puzzle", async () => {
  for (const { name } of LESSONS) {
    const { groups, meanings, minimised } = data(name);
    assert.equal(meanings.length, groups.length);
    await within(name, LARGE, async (page) => {
      const shown = await page.$$eval(".group:not(.is-bound) .meaning", (all) => all.map(({ textContent }) => textContent));
      // A group of parities also says how many lines it has, and how many clauses these stand for.
      assert.equal(shown.length, meanings.length, name);
      assert.ok(shown.every((text, i) => text.startsWith(meanings[i])), shown.join("\n"));
      assert.ok(shown.every((meaning) => /^[A-Z].*\.$/.test(meaning)), shown.join("\n"));
      assert.equal((await page.$$(".group.is-bound")).length, minimised ? 1 : 0);
    });
  }
});

test("N goes to the next conflict; its group unfolds, its clause is in view and marked, and the graph appears", async () => {
  for (const { name } of CONFLICTS) {
    for (const size of SIZES.slice(0, 2)) {
      await within(name, size, async (page) => {
        await page.$$eval("#groups .list", (lists) => lists.forEach((list) => { list.open = false; }));
        await press(page, "c", "n");
        assert.match(await story(page), /^Conflict!/, name);
        const found = await page.evaluate(() => {
          const line = document.querySelector("#groups .constraint.used"), host = document.getElementById("groups").getBoundingClientRect(), { top, bottom } = line.getBoundingClientRect();
          const present = line.querySelector(".present") ?? line.querySelector("p");
          return { isOpen: line.closest(".list").open, isBroken: line.classList.contains("is-broken"), top: top - host.top, rest: host.bottom - Math.min(bottom, top + host.height), words: present.textContent };
        });
        assert.ok(found.isOpen && found.isBroken, name);
        assert.ok(found.top >= -1 && found.rest >= -1, `${name}: ${JSON.stringify(found)}`);
        assert.equal(`Conflict! This is violated:${found.words}.`, await story(page));
        assert.equal(await isShown(page, "#graph"), true);
        // The group folds again when the step is left, and the same step looks the same again.
        await press(page, "Home");
        assert.equal(await page.$$eval("#groups .list[open]", (lists) => lists.length), 0);
        assert.equal(await isShown(page, "#graph"), false);
        await press(page, "n", "ArrowRight");
        assert.match(await story(page), /^Learnt/);
        assert.equal(await isShown(page, "#graph"), true);
        await press(page, "ArrowRight");
        assert.equal(await isShown(page, "#graph"), false);
        assert.equal((await page.$$("#learnt .used")).length, 1);
      });
    }
  }
});

test("the implication graph is legible at every size and in both themes, and its cut yields the learnt clause", async () => {
  const { clauseParts, textOf: words } = loadLesson("clauseParts", "textOf");
  for (const { name } of CONFLICTS) {
    const names = data(name).variables.map((variable) => variable.name);
    for (const [size, theme] of SIZES.flatMap((one) => [[one, "light"], [one, "dark"]])) {
      await within(name, { ...size, theme }, async (page) => {
        await press(page, "c", "n");
        const found = await page.evaluate(() => {
          const box = (element) => element.getBoundingClientRect(), nodes = [...document.querySelectorAll("#graph .node")];
          const cut = box(document.querySelector("#graph .cut")).top;
          return {
            small: Math.min(...[...document.querySelectorAll("#graph .node text:not(.remark)")].map((text) => parseFloat(getComputedStyle(text).fontSize) * box(text.ownerSVGElement).width / text.ownerSVGElement.viewBox.baseVal.width)),
            wide: nodes.filter((node) => [...node.querySelectorAll("text")].some((text) => box(text).left < box(node.querySelector(".frame")).left || box(text).right > box(node.querySelector(".frame")).right)).length,
            above: nodes.filter((node) => box(node).top < cut).map(({ classList }) => classList.contains("conflict")),
            below: nodes.filter((node) => box(node).top > cut).map(({ classList }) => classList.contains("conflict")),
            doubled: nodes.filter((node) => node.querySelector(".inner") !== null).length,
            first: nodes.filter((node) => /first UIP/.test(node.textContent)).length,
            decisions: nodes.filter((node) => /decision \d/.test(node.textContent)).length,
            learnt: nodes.filter(({ classList }) => classList.contains("is-learnt")).map(({ dataset }) => -Number(dataset.lit)),
            page: document.documentElement.scrollWidth - innerWidth,
          };
        });
        const at = `${name} at ${size.width}, ${theme}`;
        assert.ok(found.small >= 10, `${at}: ${found.small}`);
        assert.deepEqual([found.wide, found.page, found.first], [0, 0, 1], at);
        assert.ok(found.decisions > 0 && found.above.length > 0 && found.above.every((is) => !is) && found.below.every((is) => is), at);
        assert.equal(found.doubled, found.below.length - 1, at);
        await press(page, "ArrowRight");
        const sentence = await page.$eval("#story .head", (head) => head.textContent.replace(/^Learnt: /, "").replace(/\.$/, ""));
        const clause = [...found.learnt];
        assert.ok(permutations(clause).some((lits) => words(clauseParts(lits), names) === sentence), at);
        assert.match(await textOf(page, "#graph-words"), new RegExp(`learnt clause: ${sentence.replace(/[()]/g, "\\$&")}\\.`), at);
        if (size !== SIZES[1]) await accessible(page, at);
      });
    }
  }
});

const permutations = (list) => (list.length < 2 ? [list] : list.flatMap((one, i) => permutations([...list.slice(0, i), ...list.slice(i + 1)]).map((rest) => [one, ...rest])));

test("the search tree grows with the steps of each method, and the numbers of all three are side by side at the end", async () => {
  const { totalsOf, METHODS } = loadLesson("totalsOf", "METHODS");
  for (const name of ["flip-2x2", "flip-3x3", "ships-3x3"]) {
    const lesson = data(name), formula = { count: lesson.variables.length, clauses: lesson.constraints.flatMap(({ clauses }) => clauses.map((lits) => ({ lits, constraint: 0 }))) };
    const { decisionOrder, squaresByVariable } = loadLesson("decisionOrder", "squaresByVariable"), order = decisionOrder(lesson, squaresByVariable(lesson));
    await within(name, LARGE, async (page) => {
      await press(page, "t");
      assert.deepEqual([await isShown(page, "#tree-view"), await isShown(page, "#groups")], [true, false]);
      for (const method of ["backtracking", "dpll", "cdcl"]) {
        await page.select("#method", method);
        assert.equal(await textOf(page, "#tree-scroll svg"), "start");
        let before = 1;
        for (let conflicts = 0; conflicts < 12 && !/every line holds/i.test(await story(page)); conflicts += 1) {
          await press(page, "n");
          const nodes = (await page.$$("#tree-scroll .branch-node")).length;
          assert.ok(nodes > before, `${name}: ${method}`);
          before = nodes;
        }
        const last = await page.$$eval("#tree-scroll .branch-node", (nodes) => nodes.at(-1).textContent);
        assert.match(last, method === "backtracking" && name !== "flip-2x2" ? /conflict$/ : /(conflict|model)$/);
        const decided = await page.$$eval("#trail .decided", (all) => all.map(({ textContent }) => textContent.replace(" (other value)", "")));
        const path = await page.$$eval("#tree-scroll .is-on:not(.learnt) .name", (all) => all.map(({ textContent }) => textContent.replace("else ", "")).slice(1));
        assert.deepEqual(path, decided, `${name}: ${method}`);
        await press(page, "Home");
        assert.equal((await page.$$("#tree-scroll .branch-node")).length, 1);
      }
      await page.click("#compare");
      const rows = await page.$$eval("#totals tbody tr", (all) => all.map((row) => [...row.children].map(({ textContent }) => textContent)));
      assert.deepEqual(rows, ["backtracking", "dpll", "cdcl"].map((method) => {
        const { nodes, conflicts, implied, end } = totalsOf(formula, method, order, 4e6), count = (number) => `${end === null ? "more than " : ""}${number.toLocaleString("en")}`;
        return [METHODS[method].name, count(nodes), count(conflicts), count(implied), end ?? "stopped"];
      }));
    });
  }
  for (const size of SIZES) {
    await within("ships-3x3", { ...size, theme: size === LARGE ? "dark" : "light" }, async (page) => {
      await press(page, "t", "n", "n", "n");
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
      await accessible(page, `${size.width}`);
    });
  }
});

test("on request, two watched literals of each clause are marked, and how they move", async () => {
  await within("ships-3x3", LARGE, async (page) => {
    await page.$$eval("#groups .list, #groups .clauses", (lists) => lists.forEach((list) => { list.open = true; }));
    assert.equal((await page.$$(".watched")).length, 0);
    await press(page, "w");
    const counts = () => page.$$eval("#groups [data-part]", (clauses) => clauses.map((clause) => [clause.querySelectorAll(":scope > .literal").length, clause.querySelectorAll(":scope > .watched").length]));
    for (const [literals, watched] of await counts()) assert.equal(watched, Math.min(2, literals));
    await press(page, "d");
    let moved = 0;
    for (let step = 0; step < 6; step += 1) {
      for (const [literals, watched] of await counts()) assert.equal(watched, Math.min(2, literals));
      const said = /looked at (\d+) clauses?, moved (\d+) watch/.exec(await story(page));
      assert.equal(await page.$$eval(".list .moved", (all) => new Set(all.map((one) => one.closest("[data-part]:not(.present li)"))).size - (all.some((one) => one.closest(".present")) ? 1 : 0)), Number(said[2]));
      moved += Number(said[2]);
      await press(page, "ArrowRight");
    }
    assert.ok(moved > 0);
    await accessible(page, "watched literals");
    await press(page, "w");
    assert.equal((await page.$$(".watched, .moved, .left")).length, 0);
  });
});

test("a breakpoint stops the run at the step that gives its variable a value", async () => {
  await within("flip-3x3", LARGE, async (page) => {
    // B sets it on the square that has the focus; the list sets it, too.
    await page.focus('.square[data-key="0.0.4"]');
    await press(page, "b");
    assert.equal(await page.$$eval(".square.stops", (all) => all.length), 1);
    assert.match(await textOf(page, "#stops .stop"), /^press r2c2/);
    await press(page, "n");
    assert.match(await story(page), /press r2c2.*Breakpoint: press r2c2 has a value/);
    assert.doesNotMatch(await story(page), /Conflict/);
    await page.click("#stops .stop");
    assert.equal((await page.$$(".square.stops, #stops .stop")).length, 0);
    await press(page, "Home");
    await page.select("#stop", "10");
    await press(page, "n");
    assert.match(await story(page), /black.*Breakpoint: black has a value/);
  });
});

test("hover or focus previews what a decision would imply, a click makes the decision, and U brings the run back", async () => {
  await within("flip-3x3", LARGE, async (page) => {
    await press(page, "d", "d", "d");
    const before = await page.$eval("#boards", (boards) => boards.innerHTML), step = await stepOf(page);
    await page.hover('.square[data-key="0.0.5"]');
    assert.match(await textOf(page, "#preview"), /^If press r2c3: a conflict, after 5 implied literals\.$/);
    assert.ok((await page.$$(".square.preview .would")).length > 4);
    await page.mouse.move(5, 715);
    assert.equal(await page.$eval("#boards", (boards) => boards.innerHTML.replaceAll(" reason", "")), before.replaceAll(" reason", ""));
    assert.equal(await textOf(page, "#preview"), "");
    // By keyboard: focus previews, Enter decides.
    await page.focus('.square[data-key="0.0.3"]');
    assert.match(await textOf(page, "#preview"), /^If press r2c1: /);
    await press(page, "ArrowDown");
    const run = await stepOf(page);
    await page.focus('.square[data-key="0.0.5"]');
    await press(page, "Enter");
    assert.match(await story(page), /^Decision: press r2c3/);
    await press(page, "n");
    assert.match(await story(page), /^Conflict!/);
    await press(page, "u");
    assert.equal(await stepOf(page), run);
    await press(page, "u");
    assert.ok(await stepOf(page) < step);
    // A literal of a clause can be reached with the tab key, is previewed, and decided with Enter.
    await page.focus(".constraint[data-number='1']");
    await press(page, "Tab");
    const name = await page.evaluate(() => document.activeElement.textContent);
    assert.match(await textOf(page, "#preview"), new RegExp(`^(If ${name}|$)`));
  });
  await within("ships-3x3", { width: 390, height: 844 }, async (page) => {
    await page.click('.square[data-key="0.0.0"]');
    await page.focus("#choices .choice:last-child button");
    assert.match(await textOf(page, "#preview"), /^If ship \d on r1c1.*follow/);
    await accessible(page, "preview");
  });
});

test("Flip: the bound moves down until no board is left, which gives the fewest presses; a helper variable is explained where it first appears", async () => {
  for (const { name } of LESSONS.filter(({ name: one }) => one.startsWith("flip"))) {
    await within(name, LARGE, async (page) => {
      const fewest = Number(/(\d+) press/.exec(data(name).answer.outcome)[1]);
      const numbers = [];
      for (let round = 0; round < 12; round += 1) {
        await page.click("#fewer");
        const said = await story(page), found = /Number of presses: (\d+)/.exec(said);
        if (found === null) {
          assert.match(said, new RegExp(`^No board with at most ${fewest - 1} presses.*So ${fewest} is the fewest\\.$`));
          break;
        }
        const discs = await page.$$eval("#boards .disc", (all) => all.length);
        assert.equal(discs, Number(found[1]));
        numbers.push(discs);
      }
      assert.ok(numbers.length > 0 && numbers.at(-1) === fewest && numbers.every((one, i) => i === 0 || one < numbers[i - 1]), numbers.join());
      // Under this bound, the clauses contradict each other.
      await press(page, "Home", "ArrowRight");
      assert.match(await story(page), /^It follows: not h\d+.*is a helper variable of the group “number of presses”\. It stands for no square of the board\. It must be true if there are more than \d+ presses\./);
      assert.equal(await page.$eval(".is-bound .meaning", (meaning) => /h1 to h\d+/.test(meaning.textContent)), true);
      for (let round = 0; round < 60 && !/contradict each other|^This is the end/.test(await story(page)); round += 1) await press(page, "n");
      assert.match(await story(page), /contradict each other|^This is the end/);
      await page.select("#bound", "");
      await press(page, "s");
      assert.match(await story(page), /^Solution 1, found by varisat: every line holds\. Number of presses: \d+\.$/);
      await accessible(page, name);
    });
  }
});

test("Flip on 4x4 and Ships on 6x6 with thousands of clauses fit the screen, and lines are drawn when they are needed", async () => {
  const boards = [
    [lessonOf("flip", "bbbw\nbbbb\nwbbw\nbbbw\n", "-r", "size=4x4"), 288],
    [lessonOf("ships", "6 6\n......\n..x...\n......\n...o..\n.x....\n......\n0 0\n", "-e", "sat:placement"), 4000],
  ];
  const solve = await solver();
  for (const [address_, least] of boards) {
    const lesson = JSON.parse(/id="data">([\s\S]*?)<\/script>/.exec(readFileSync(new URL(address_), "utf8"))[1]);
    const clauses = lesson.constraints.flatMap((constraint) => constraint.clauses);
    assert.ok(clauses.length >= least, `${clauses.length}`);
    for (const size of SIZES) {
      await within(address_, size, async (page) => {
        assert.ok((await page.$$("#groups .constraint")).length < 1200);
        const found = await page.evaluate(() => {
          const frame = document.getElementById("boards").getBoundingClientRect();
          const small = [...document.querySelectorAll(".square")].filter((square) => square.getBoundingClientRect().width < 18 || square.getBoundingClientRect().bottom > frame.bottom + 1).length;
          return { small, wide: document.documentElement.scrollWidth - innerWidth, open: document.querySelectorAll("#groups .list[open]").length };
        });
        assert.deepEqual([found.small, found.wide], [0, 0], JSON.stringify(size));
        await press(page, "c");
        assert.match(await story(page), /^A conflict is \d+ steps? from here/);
        await press(page, "n");
        assert.match(await story(page), /^Conflict!/);
        const line = await page.$eval("#groups .constraint.used", (one) => ({ isBroken: one.classList.contains("is-broken"), isOpen: one.closest(".list").open }));
        assert.deepEqual(line, { isBroken: true, isOpen: true });
        assert.equal(await isShown(page, "#graph"), true);
        await press(page, "ArrowRight");
        // All literals of the learnt clause are false here. In its sentence, premises are negated.
        const denied = await page.$$eval("#story .head .literal", (all) => all.map(({ classList, dataset }) => (classList.contains("true") ? 1 : -1) * Number(dataset.lit)));
        assert.ok(denied.length > 0);
        assert.equal(solve(lesson.variables.length, clauses, denied), null, "the learnt clause follows");
        if (size === LARGE) {
          await page.$$eval("#groups .list", (lists) => lists.forEach((list) => { list.open = true; }));
          const drawn = await page.$$eval(".group:not(.off) .more:not([hidden])", (all) => all.map((more) => {
            const count = () => more.closest(".list").querySelectorAll(".constraint").length, before = count();
            more.click();
            return count() - before;
          }));
          assert.ok(drawn.every((added) => added > 0) && (drawn.length > 0 || clauses.length < 4000), drawn.join());
        }
      });
    }
  }
});

test("the guide's numbers of nodes are those of the page", () => {
  const { withBound, setBound, totalsOf, decisionOrder, squaresByVariable } = loadLesson("withBound", "setBound", "totalsOf", "decisionOrder", "squaresByVariable");
  const lesson = withBound(data("flip-3x3")), order = decisionOrder(lesson, squaresByVariable(lesson));
  setBound(lesson, 3);
  const clauses = lesson.constraints.flatMap((constraint) => constraint.clauses.map((lits) => ({ lits, constraint: 0 })));
  const nodes = ["backtracking", "dpll", "cdcl"].map((method) => totalsOf({ count: lesson.variables.length, clauses }, method, order, 4e6)).map(({ nodes: n, end }) => `${n.toLocaleString("en")} ${end}`);
  assert.deepEqual(nodes, ["7,190 none", "28 none", "28 none"]);
  const guide = readFileSync(new URL("../../docs/src/lessons.md", import.meta.url), "utf8");
  assert.match(guide, /backtracking needs 7,190 nodes, DPLL and CDCL 28\./);
});
