// Writes pictures of the lessons into `shots/`, for inspection: `node lesson_shots.mjs`.

import { mkdirSync } from "node:fs";
import { LESSONS, address } from "./lesson_pages.mjs";
import { launch, open } from "./page.mjs";

const folder = new URL("shots/", import.meta.url).pathname;
const STATES = { start: [], decided: ["d", "ArrowDown"], learnt: ["c", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"], solved: ["s"] };

mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const { name } of LESSONS) {
  for (const [width, height] of [[1920, 1080], [1280, 720], [390, 844]]) {
    for (const theme of ["light", "dark"]) {
      const { page } = await open(browser, address(name), { width, height, theme });
      for (const keys of [["c", "n"], ["t"]]) {
        for (const key of keys) await page.keyboard.press(key);
        await page.screenshot({ path: `${folder}lesson-${name}-${keys.includes("t") ? "tree" : "graph"}-${width}-${theme}.png` });
      }
      await page.close();
    }
    const { page } = await open(browser, address(name), { width, height });
    const shot = (state) => page.screenshot({ path: `${folder}lesson-${name}-${state}-${width}.png` });
    for (const [state, keys] of Object.entries(STATES)) {
      for (const key of keys) {
        if (/^Conflict/.test(await page.$eval("#story", (story) => story.textContent))) break;
        await page.keyboard.press(key);
      }
      if (state === "learnt") await page.keyboard.press("ArrowRight");
      await shot(state);
    }
    await page.keyboard.press("Escape");
    await page.$$eval("#groups input", (boxes) => boxes.at(-1).click());
    await page.keyboard.press("s");
    await shot("wrong");
    await page.close();
  }
}
await browser.close();
