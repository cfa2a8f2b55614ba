// The lessons of the set for a class in a browser: pointing, deciding, stepping in both directions, conflicts, groups
// switched off, solving, layout.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { lessonScripts, loadLesson, models, order, solver } from "./lesson_made.mjs";
import { LESSONS, address, counterpoint, data, text } from "./lesson_pages.mjs";
import { isFirefox, launch, open } from "./page.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const LARGE = { width: 1280, height: 720 };

/** Opens a lesson and calls `use` with its page. Afterwards, the page must have printed and requested nothing. */
async function within(name, size, use) {
  const { page, said } = await open(browser, address(name), size);
  try {
    assert.equal(await page.$eval("html", (html) => html.dataset.solver ?? "runs"), "runs");
    await use(page);
    assert.deepEqual(said, []);
  } finally {
    await page.close();
  }
}

const story = (page) => page.$eval("#story", (element) => element.textContent);
const keysOf = (page, selector) => page.$$eval(selector, (squares) => squares.map(({ dataset }) => dataset.key).sort());
const press = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };

/** The HTML of everything that depends on the step. */
const shown = (page) => page.evaluate(() => ["boards", "story", "trail", "groups", "step"].map((id) => document.getElementById(id).innerHTML).join("\n"));

test("scripts are listed, short and in the pages, begin with their purpose, and use no network", () => {
  const folder = new URL("../../pages/src/lesson/page/js/", import.meta.url);
  assert.deepEqual(readdirSync(folder).filter((name) => name.endsWith(".js")).sort(), order().sort());
  for (const name of order()) {
    const script = readFileSync(new URL(name, folder), "utf8");
    assert.match(script, /^\/\/ /, name);
    assert.ok(script.split("\n").length <= 400, name);
    assert.doesNotMatch(script, /\bfetch\b|XMLHttpRequest|https?:|import\(/, name);
  }
  for (const { name } of LESSONS) assert.ok(text(name).includes(lessonScripts()), `${name} contains older scripts; run tests/browser/run`);
});

test("the page words constraints as the program does", () => {
  const { constraintParts, textOf } = loadLesson("constraintParts", "textOf");
  for (const { name } of LESSONS) {
    const { variables, constraints } = data(name), names = variables.map((variable) => variable.name);
    for (const constraint of constraints) assert.equal(textOf(constraintParts(constraint), names), constraint.words, name);
  }
});

test("a line that stands for several clauses is equivalent to them", () => {
  const { valueOf } = loadLesson("valueOf");
  for (const { name } of LESSONS) {
    for (const { kind, lits, clauses } of data(name).constraints) {
      if (kind === "clause") { assert.deepEqual(clauses, [lits]); continue; }
      const numbers = lits.map((_, i) => i + 1), own = new Map(lits.map((lit, i) => [Math.abs(lit), i + 1]));
      const renamed = clauses.map((list) => list.map((lit) => Math.sign(lit) * own.get(Math.abs(lit))));
      const holds = (model) => lits.filter((lit, i) => valueOf(model, Math.sign(lit) * numbers[i]) === 1).length;
      const wanted = { odd: (n) => n % 2 === 1, even: (n) => n % 2 === 0, "at most one": (n) => n < 2 }[kind];
      const right = models(lits.length, []).filter((model) => wanted(holds(model)));
      assert.equal(models(lits.length, renamed).length, right.length, `${name}: ${kind}`);
      assert.ok(right.every((model) => renamed.every((list) => list.some((lit) => valueOf(model, lit) === 1))));
    }
  }
});

test("the page's solver agrees with the program, and the program's checker accepts the solver's boards", async () => {
  const solve = await solver(), { boardsOf } = loadLesson("boardsOf"), scratch = mkdtempSync(join(tmpdir(), "lesson-"));
  for (const { name, input, rules } of LESSONS) {
    const lesson = data(name), clauses = lesson.constraints.flatMap((constraint) => constraint.clauses);
    assert.equal(solve(lesson.variables.length, clauses, []) !== null, lesson.answer.satisfiable, name);
    const formula = counterpoint("encode", lesson.problem, input, ...rules, "-e", lesson.engine, "--format", "xcnf");
    writeFileSync(join(scratch, "formula.xcnf"), formula);
    let boards = 0;
    for (const model of boardsOf(solve, lesson, () => true)) {
      boards += 1;
      const numbers = [...model].map((value, variable) => value * variable).slice(1);
      writeFileSync(join(scratch, "model"), `s SATISFIABLE\nv ${numbers.join(" ")} 0\n`);
      const output = counterpoint("check", "--model", join(scratch, "model"), join(scratch, "formula.xcnf"));
      assert.doesNotMatch(output, /failed|WRONG/, `${name}: ${output}`);
      assert.match(output, /witness|recomputed/, name);
      if (boards === 12) break;
    }
    assert.ok(boards > 1, name);
  }
});

test("pointing at a line highlights its squares, and pointing at a square marks its lines", async () => {
  const { squaresByVariable, lightByVariable, lightOf } = loadLesson("squaresByVariable", "lightByVariable", "lightOf");
  for (const { name } of LESSONS) {
    const lesson = data(name), litBy = lightByVariable(lesson, squaresByVariable(lesson));
    await within(name, LARGE, async (page) => {
      await page.$$eval("#groups details.list", (lists) => lists.forEach((list) => { list.open = true; }));
      for (const number of [0, Math.floor(lesson.constraints.length / 2), lesson.constraints.length - 1]) {
        const line = await page.$(`.constraint[data-number="${number}"]`);
        await line.scrollIntoView();
        await line.hover();
        const lit = [...lightOf(lesson, litBy, lesson.constraints[number].lits)].sort();
        assert.ok(lit.length > 0, `${name}: line ${number}`);
        // If the pointer is on a literal, only the squares of that literal are highlighted.
        const over = await page.$eval(".literal:hover", (literal) => Number(literal.dataset.lit)).catch(() => null);
        assert.deepEqual(await keysOf(page, ".square.lit"), over === null ? lit : [...lightOf(lesson, litBy, [over])].sort());
      }
      await page.mouse.move(5, 715);
      assert.deepEqual(await keysOf(page, ".square.lit"), []);
      const square = await page.$('.square[data-key="0.0.0"]');
      await square.hover();
      assert.ok((await page.$$(".constraint.touched")).length > 0, name);
    });
  }
});

test("arrow keys step forward, back through the same states, and forward again", async () => {
  for (const { name } of LESSONS) {
    await within(name, LARGE, async (page) => {
      // Make decisions until every variable has a value, so that there are steps to go through.
      const seen = [];
      for (let round = 0; round < 6; round += 1) await press(page, "d", "ArrowDown", "ArrowDown");
      const last = Number((await page.$eval("#step", (step) => step.textContent)).replace("step ", ""));
      assert.ok(last > 2, `${name}: ${last}`);
      await press(page, "Home");
      for (let at = 0; at <= last; at += 1) {
        seen.push(await shown(page));
        await press(page, "ArrowRight");
      }
      await press(page, "Home");
      for (let at = 0; at < last; at += 1) await press(page, "ArrowRight");
      for (let at = last; at >= 0; at -= 1) {
        assert.equal(await shown(page), seen[at], `${name}: step ${at}`);
        await press(page, "ArrowLeft");
      }
      assert.match(await story(page), /start/);
    });
  }
});

test("after a conflict, the learnt clause is explained in words and follows from the clauses, and the squares of its reasons are marked", async () => {
  const solve = await solver(), { clauseParts, textOf } = loadLesson("clauseParts", "textOf");
  for (const { name } of LESSONS) {
    const lesson = data(name), names = lesson.variables.map((variable) => variable.name);
    const clauses = lesson.constraints.flatMap((constraint) => constraint.clauses);
    await within(name, LARGE, async (page) => {
      await press(page, "c");
      if (name === "spot-2x2") {
        assert.match(await story(page), /No conflict was found/);
        return;
      }
      for (let step = 0; !/^Conflict/.test(await story(page)); step += 1) {
        assert.ok(step < 100, name);
        await press(page, "ArrowRight");
      }
      assert.ok((await page.$$(".constraint.is-broken")).length > 0);
      await press(page, "ArrowRight");
      const lits = await page.$$eval("#story .head .literal", (literals) => literals.map(({ dataset }) => Number(dataset.lit)));
      // In the sentence, the literals of premises are negated.
      const used = await page.$$eval("#story ol li", (lines) => lines.map((line) => line.textContent));
      assert.ok(used.length > 1, name);
      const words = await page.$eval("#story .head", (head) => head.textContent.replace(/^Learnt: /, "").replace(/\.$/, ""));
      const learnt = candidates(lits).find((clause) => textOf(clauseParts(clause), names) === words);
      assert.ok(learnt !== undefined, `${name}: ${words}`);
      assert.ok(learnt.length > 1);
      assert.equal(solve(names.length, clauses, learnt.map((lit) => -lit)), null, `${name}: ${words} is entailed`);
      assert.ok(!clauses.some((one) => one.length <= learnt.length && one.every((lit) => learnt.includes(lit))), `${name}: new`);
      assert.ok((await keysOf(page, ".square.lit")).length > 0 && (await keysOf(page, ".square.reason")).length > 0, name);
      await press(page, "ArrowRight");
      assert.match(await story(page), /^Back to/);
      assert.equal(await page.$eval("#learnt li", (line) => line.textContent), words);
      await press(page, "ArrowRight");
      assert.match(await story(page), /^It follows.*Because it was learnt/);
      await press(page, "ArrowLeft", "ArrowLeft");
      assert.equal(await page.$eval("#learnt", (group) => group.hidden), true);
    });
  }
});

/** All clauses over the variables of these literals, each with either sign. */
const candidates = (lits) => lits.reduce((all, lit) => all.flatMap((clause) => [[...clause, lit], [...clause, -lit]]), [[]]);

test("with a group switched off, a wrong solution appears with the constraints that it violates, or no board is wrong", async () => {
  const solve = await solver(), wrongs = new Map();
  for (const { name } of LESSONS) {
    const lesson = data(name);
    await within(name, LARGE, async (page) => {
      assert.equal(await page.$eval("#return", (button) => button.hidden), true);
      await press(page, "s");
      assert.match(await story(page), /^Solution 1, found by varisat: every line holds/);
      for (const [group, label] of lesson.groups.entries()) {
        const box = `.group[data-group="${group}"] input`;
        await page.click(box);
        const on = lesson.constraints.filter((constraint) => constraint.group !== group).flatMap(({ clauses }) => clauses);
        const off = lesson.constraints.filter((constraint) => constraint.group === group).flatMap(({ clauses }) => clauses);
        const canBeWrong = off.some((lits) => solve(lesson.variables.length, on, lits.map((lit) => -lit)) !== null);
        await press(page, "s");
        if (canBeWrong) {
          assert.match(await story(page), /^Wrong solution 1/, `${name}: ${label}`);
          const broken = await page.$$eval("#groups .constraint.is-broken", (lines) => lines.map(({ dataset }) => Number(dataset.number)));
          assert.ok(broken.length > 0 && broken.every((number) => lesson.constraints[number].group === group), `${name}: ${label}`);
          if ((await page.$$(".square.wrong")).length > 0) wrongs.set(name, (wrongs.get(name) ?? 0) + 1);
        } else {
          assert.match(await story(page), /^Solution 1.*the constraints that are off follow from the rest/, `${name}: ${label}`);
        }
        await page.click(box);
      }
    });
    assert.ok(wrongs.get(name) > 0, name);
  }
});

test("clicks on a square decide it, negate the decision, and take it back; a square with several literals offers a choice", async () => {
  await within("flip-2x2", LARGE, async (page) => {
    const square = '.square[data-key="0.0.0"]';
    for (const [words, sign] of [[/^Decision: press r1c1/, ".disc"], [/^Decision: not press r1c1/, ".refused"], [/^Click a square/, ".unsettled"]]) {
      await page.click(square);
      assert.match(await story(page), words);
      assert.ok(await page.$(`${square} ${sign}`), sign);
    }
    // The board shows the effect of the presses.
    const black = () => page.$$eval('.square[data-key^="0.2."]', (squares) => squares.map(({ classList }) => classList.contains("ground-black")));
    assert.deepEqual(await black(), [true, false, false, false]);
    await page.click(square);
    assert.deepEqual(await black(), [false, true, true, false]);
    await page.click('.literal[data-lit="5"]');
    assert.match(await story(page), /^Decision: black/);
  });
  await within("ships-3x3", LARGE, async (page) => {
    await page.click('.square[data-key="0.0.0"]');
    const offers = await page.$$eval("#choices .what", (offered) => offered.map((offer) => offer.textContent));
    assert.ok(offers.length > 3 && offers.includes("covered r1c1"), offers.join());
    await page.click("#choices .choice:last-child button");
    assert.match(await story(page), /^Decision: ship \d on r1c1/);
    assert.ok((await page.$$(".square .ship")).length > 1);
  });
  await within("spot-2x2", LARGE, async (page) => {
    await press(page, "ArrowDown");
    await page.click('.board[data-board="1.1"] .square');
    assert.match(await story(page), /^Decision: move 2 makes xx/);
    assert.ok(await page.$('.board[data-board="1.1"].holds'));
    await press(page, "ArrowRight");
    assert.match(await story(page), /^It follows/);
    assert.ok((await page.$$(".board.out")).length > 1);
  });
});

test("the page fits a projector's screen, needs no horizontal scrolling on a phone, and nothing is cut off", async () => {
  for (const { name } of LESSONS) {
    for (const [width, height] of [[1280, 720], [1920, 1080], [390, 844], [320, 640]]) {
      await within(name, { width, height }, async (page) => {
        for (const keys of [[], ["c", "ArrowDown", "ArrowRight"], ["s"]]) {
          await press(page, ...keys);
          const found = await page.evaluate(() => {
            const box = (element) => element.getBoundingClientRect();
            const frame = box(document.getElementById("boards"));
            const outside = [...document.querySelectorAll(".square")].filter((square) => {
              const { left, right, top, bottom, width: side } = box(square);
              return side < 18 || left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1;
            });
            const controls = [...document.querySelectorAll("#controls button")].filter((button) => {
              const { left, right, top, bottom, height: tall } = box(button);
              return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight || tall < 30;
            });
            const groups = document.getElementById("groups"), { documentElement: root } = document;
            return { outside: outside.length, controls: controls.length, wide: Math.max(0, root.scrollWidth - innerWidth), tall: root.scrollHeight - innerHeight, list: groups.scrollHeight - groups.clientHeight };
          });
          const at = `${name} at ${width}x${height} after ${keys.join("")}`;
          assert.deepEqual([found.outside, found.controls, found.wide], [0, 0, 0], at);
          if (width > 1000) assert.equal(found.tall, 0, at);
          if (width > 1000 && keys.length === 0) assert.equal(found.list, 0, at);
        }
      });
    }
  }
});

test("axe finds no fault in any state at any size", async () => {
  const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");
  for (const { name } of LESSONS) {
    for (const size of [LARGE, { width: 390, height: 844 }]) {
      await within(name, size, async (page) => {
        await page.evaluate(axe);
        for (const keys of [[], ["d", "ArrowDown"], ["c", "ArrowDown", "ArrowRight"], ["s"]]) {
          await press(page, ...keys);
          const found = await page.evaluate(() => globalThis.axe.run());
          const faults = found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, any }) => `${html} ${any.map(({ message }) => message)}`).join("; ")}`);
          assert.deepEqual(faults, [], `${name} after ${keys.join("")}`);
        }
      });
    }
  }
});

test("the browser prints a handout to a file", async () => {
  const { name } = LESSONS[0];
  await within(name, LARGE, async (page) => {
    const file = Buffer.from(await page.pdf({ format: "A4" }));
    assert.equal(file.subarray(0, 5).toString(), "%PDF-");
    assert.ok(file.length > 5000, `${file.length} bytes`);
  });
});

// Puppeteer cannot emulate the style of printed pages in Firefox.
test("a handout is printed: the board, all groups, three exercises, and their solutions on a page of their own", { skip: isFirefox }, async () => {
  for (const { name } of LESSONS) {
    await within(name, LARGE, async (page) => {
      const before = await shown(page);
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      assert.equal(await shown(page), before);
      await page.emulateMediaType("print");
      const isShown = (selector) => page.$eval(selector, (element) => element.checkVisibility());
      assert.deepEqual([await isShown("#handout"), await isShown("main"), await isShown("header")], [true, false, false]);
      const groups = await page.$$eval("#handout .lines h2", (all) => all.map(({ textContent }) => textContent));
      const { groups: labels, constraints } = data(name);
      assert.deepEqual(groups, labels.filter((_, group) => constraints.some((constraint) => constraint.group === group)));
      for (const part of ["exercises", "solutions"]) {
        const texts = await page.$$eval(`#handout .${part} > ol > li`, (all) => all.map(({ textContent }) => textContent));
        assert.equal(texts.length, 3);
        assert.ok(texts.every((each) => each.length > 10 && !each.includes("undefined") && !each.includes("[object")), texts.join("\n"));
      }
      assert.equal(await page.$eval("#handout .solutions", (element) => getComputedStyle(element).breakBefore), "page");
      const wide = await page.$$eval("#handout *", (all) => Math.max(...all.map((element) => element.getBoundingClientRect().right)));
      assert.ok(wide <= LARGE.width, `${name}: ${wide}`);
      await page.emulateMediaType("screen");
    });
  }
});

test("without WebAssembly, a lesson steps, learns and prints, and only Solve says what it needs", async () => {
  const { page, said } = await open(browser, address("ships-3x3"), { ...LARGE, before: () => { delete globalThis.WebAssembly; } });
  try {
    assert.match(await page.$eval("html", (html) => html.dataset.solver), /WebAssembly/);
    await press(page, "c", "n");
    assert.match(await story(page), /^Conflict!/);
    await press(page, "ArrowRight");
    assert.match(await story(page), /^Learnt: /);
    await press(page, "s");
    assert.equal(await story(page), "This browser does not support WebAssembly, which the solver needs.");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await page.$$eval("#handout .solutions > ol > li", (all) => all.length), 3);
    assert.deepEqual(said, []);
  } finally {
    await page.close();
  }
});
