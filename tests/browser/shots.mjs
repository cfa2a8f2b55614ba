// Writes pictures of every view into `shots/`, for inspection: `node shots.mjs [EXPERIMENT…]`.

import { mkdirSync } from "node:fs";
import { NAME, troubled } from "./altered.mjs";
import { launch, open } from "./page.mjs";
import { address, altered, experiments } from "./pages.mjs";

const folder = new URL("shots/", import.meta.url).pathname;
const sizes = [[1280, 800, "light"], [1280, 800, "dark"], [360, 740, "light"], [1920, 1080, "light"]];

mkdirSync(folder, { recursive: true });
const browser = await launch();
const wanted = process.argv.slice(2);
const shown = experiments().filter((name) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)));
for (const [name, at] of [...shown.map((one) => [one.slice(0, 3), address(one)]), ["troubled", altered(NAME, "troubled", troubled())]]) {
  for (const [width, height, theme] of sizes) {
    const { page, said } = await open(browser, at, { width, height, theme });
    for (const id of await page.$$eval("[role=tab]", (tabs) => tabs.map((tab) => tab.id.slice(4)))) {
      await page.$eval(`#tab-${id}`, (tab) => tab.click());
      await page.screenshot({ path: `${folder}${name}-${id}-${width}-${theme}.png` });
    }
    if (said.length > 0) process.stdout.write(`${name}: ${said.join("\n")}\n`);
    await page.close();
  }
}
await browser.close();
