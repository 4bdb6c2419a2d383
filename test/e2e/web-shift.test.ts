/**
 * Tests that no page of the dashboard moves while it loads, and that what a person reads stays where it is when
 * something happens. The browser reports each shift: its share of the window times its distance.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { chromiumPath, go, signIn, useDashboard } from '../harness/browser.js';
import { fillDashboard, type Pages } from '../harness/filled-dashboard.js';

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
  { width: 2560, height: 1440 },
];
const MAX_SHIFT = 0.01;

/** Runs before the scripts of each page. */
const OBSERVE = `
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

/** The styles of all pages: those that are loaded after the page that is shown must not change it. */
const STYLES = readdirSync(join(import.meta.dirname, '../../dist/web/assets')).filter((name) => name.endsWith('.css'));
const ADD_STYLES = `
  globalThis.isMissing = (name) => !document.querySelector('link[rel=stylesheet][href$="' + name + '"]');
  Promise.all(${JSON.stringify(STYLES)}.filter(globalThis.isMissing).map((name) => new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/ui/assets/' + name });
    [link.onload, link.onerror] = [resolve, reject];
    document.head.append(link);
  })))
`;
const FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** Returns the shifts of a page if their sum is more than MAX_SHIFT. */
async function faultsOf(page: Page, path: string): Promise<unknown[]> {
  await page.evaluate(FRAMES);
  const shifts = (await page.evaluate('globalThis.shifts.splice(0)')) as Shift[];
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  return sum > MAX_SHIFT ? [path, sum, ...shifts] : [];
}

describe.skipIf(chromiumPath === null)('what the dashboard shows stays where it is', () => {
  let pages: Pages;
  const web = useDashboard({}, async (daemon) => {
    pages = await fillDashboard(daemon);
  });
  afterAll(() => pages?.close());

  test.each(SIZES)('while each page loads, $width px wide', { timeout: 300_000 }, async (size) => {
    const { daemon, page } = web;
    await page.setViewportSize(size);
    await page.addInitScript(OBSERVE);
    await signIn(page, daemon);
    const found: unknown[] = [];
    for (const path of [...pages.lists, ...pages.missing, ...pages.details]) {
      await go(page, path);
      await expect.poll(() => page.locator('[data-settling="true"], [aria-busy="true"]').count()).toBe(0);
      await page.waitForLoadState('networkidle');
      await page.evaluate(ADD_STYLES);
      found.push(...(await faultsOf(page, path)));
    }
    expect(found).toEqual([]);
  });

  test.each(SIZES)('when something happens, $width px wide', { timeout: 120_000 }, async (size) => {
    const { daemon, page } = web;
    await page.setViewportSize(size);
    await page.addInitScript(OBSERVE);
    await signIn(page, daemon);
    // Cards are left out: a session that waits takes the first place among them.
    for (const path of ['inbox', 'sessions', 'runs', 'events', 'system']) {
      await go(page, path);
      await page.waitForLoadState('networkidle');
      const name = `new-${path.replaceAll(/\W/g, '-')}-${size.width}`;
      const session = await daemon.sh('echo ":ORCHESTRATOR: QUESTION - Which one?"; read -r x; cat', '--name', name);
      await daemon.openItem(session);
      if (path !== 'system')
        await page
          .getByText(path === 'runs' ? 'Runs' : name)
          .first()
          .waitFor({ state: 'attached' });
      expect(await faultsOf(page, path)).toEqual([]);
    }
  });
});
