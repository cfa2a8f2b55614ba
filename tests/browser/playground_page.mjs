// What the tests of the playground do with its page.

export const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent);
export const boardText = (page) => page.$eval("#text", (area) => area.value);
export const ready = (page) => page.waitForFunction(() => !document.getElementById("solve").disabled, { timeout: 20_000 });

/** Waits until both engines have an answer or have failed. */
const settled = (page) => page.waitForFunction(() => document.querySelectorAll(".result .outcome, .result .failure").length === 2, { timeout: 60_000 });

export async function choose(page, problem) {
  await page.click(`#problems [value=${problem}]`);
  await page.waitForFunction((name) => document.querySelector(`#problems [value=${name}]`).getAttribute("aria-pressed") === "true", {}, problem);
  await ready(page);
}

/** Solves the board by both engines. Returns the texts that match the selector: by default the outcomes, without failures. */
export async function solve(page, shown = ".result .outcome") {
  await page.click("#solve");
  await settled(page);
  return page.$$eval(shown, (all) => all.map(({ textContent }) => textContent));
}
