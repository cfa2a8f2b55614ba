// A headless browser, and pages that may neither request anything nor print to the console.

import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";
import { execFileSync } from "node:child_process";

/** The first of these commands in `PATH`. */
const found = (...commands) => execFileSync("sh", ["-c", commands.map((command) => `command -v ${command}`).join(" || ")], { encoding: "utf8" }).trim();

/** Firefox, through WebDriver BiDi, if the environment variable `BROWSER` is `firefox`; otherwise Chromium. */
export const isFirefox = process.env.BROWSER === "firefox";

/** Starts the browser: the program that the environment variable `CHROMIUM` names, or else the one in `PATH`. */
export const launch = () => (isFirefox ? puppeteer.launch({
  browser: "firefox", executablePath: found("firefox-esr", "firefox"), headless: true,
}) : puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? found("chromium", "google-chrome"),
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"],
}));

/** Opens an address. `said` collects everything that a page must not do: console output, errors, requests. `before` runs in the page
 * before its scripts. */
export async function open(browser, address, { width = 1280, height = 800, theme = "light", hash = "", before } = {}) {
  const page = await browser.newPage();
  if (before) await page.evaluateOnNewDocument(before);
  const said = [];
  page.on("console", (message) => said.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => said.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) said.push(`request: ${request.url()}`);
  });
  await page.setViewport({ width, height });
  // Puppeteer cannot emulate the theme in Firefox.
  if (!isFirefox) await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }, { name: "prefers-reduced-motion", value: "reduce" }]);
  await page.goto(address + hash);
  await page.waitForSelector("html[data-ready]", { timeout: 20_000 }).catch(async () => {
    throw new Error(`${address} did not open: ${await page.$eval("#panel", (panel) => panel.textContent)} ${said.join("; ")}`);
  });
  return { page, said };
}

/** Opens an address and calls `use` with its page. Afterwards, the page must have printed and requested nothing. */
export async function visit(browser, address, options, use) {
  const { page, said } = await open(browser, address, options);
  try {
    await use(page);
    assert.deepEqual(said, []);
  } finally {
    await page.close();
  }
}
