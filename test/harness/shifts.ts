/** Shifts of a page of the dashboard: what moved without an input, as the browser reports it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const MAX_SHIFT = 0.01;

/** Notes each shift of a page, also those before it. */
export const OBSERVE_SHIFTS = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      globalThis.shifts.push({ value, of: sources.map(({ node, previousRect: from, currentRect: to }) =>
        [from, to].map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)).join(' to ') + ' ' +
          (node?.nodeType === 1 ? node : node?.parentElement)?.outerHTML.slice(0, 120)) });
  }).observe({ type: 'layout-shift', buffered: true });
`;

interface Shift {
  readonly value: number;
  /** The elements that moved, each with its place before and after. */
  readonly of: readonly string[];
}

const ASSETS = join(import.meta.dirname, '../../dist/web/assets');
/** The styles of all pages, by their file: those that are loaded after the page that is shown must not change it. */
const STYLES = readdirSync(ASSETS)
  .filter((name) => name.endsWith('.css'))
  .map((name) => [name, readFileSync(join(ASSETS, name), 'utf8')]);
const ADD_STYLES = `
  for (const [name, text] of ${JSON.stringify(STYLES)}) {
    if (document.querySelector('link[rel=stylesheet][href$="' + name + '"]')) continue;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
  }
`;
const FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** Returns the shifts of a page since the last call. */
export async function takeShifts(page: Page): Promise<Shift[]> {
  await page.evaluate(FRAMES);
  return page.evaluate('globalThis.shifts.splice(0)') as Promise<Shift[]>; // as OBSERVE_SHIFTS notes them
}

/** Returns the shifts of a page since the last call if their sum is more than MAX_SHIFT. */
export async function shiftFaults(page: Page, path: string): Promise<unknown[]> {
  const shifts = await takeShifts(page);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  return sum > MAX_SHIFT ? [path, sum, ...shifts] : [];
}

/** Returns the shifts of a page while it loads. A page has loaded half a second after its last request. */
export async function faultsOfLoading(page: Page, path: string): Promise<unknown[]> {
  await expect.poll(() => page.locator('[data-settling="true"], [aria-busy="true"]').count()).toBe(0);
  await page.waitForLoadState('networkidle');
  await page.evaluate(ADD_STYLES);
  return shiftFaults(page, path);
}
