/**
 * Tests the layout of all pages of the dashboard in a browser. Nothing moves while a page loads on a phone. At each
 * supported width nothing is cut off or covered, a finger can hit each control, and axe finds nothing. The texts are
 * long, without blanks, and of several scripts.
 */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import {
  accessibilityFaults,
  BOTH_THEMES,
  chromiumPath,
  load,
  PHONE_SIZE,
  signIn,
  useDashboard,
} from '../harness/browser.js';
import { fillDashboard, type Pages } from '../harness/filled-dashboard.js';
import { faultsOfLoading, OBSERVE_SHIFTS } from '../harness/shifts.js';

const WIDTHS = [320, 360, 768, 1280, 2560, 3840] as const;
/** Below this width people use fingers. */
const MAX_TOUCH_WIDTH = 768;
/** The browser paints without a graphics processor, so that a tall window takes long. */
const MAX_HEIGHT = 800;
const MAX_FRAMES = 30;
/** A window of 1280 by 800 at 400 %. */
const ZOOMED = { width: 320, height: 200 };
const MIN_BODY_PX = 120;

/**
 * Returns what is wrong with the layout of the current page: elements beyond the window that nothing scrolls to, text
 * that is cut without an ellipsis, a heading that is not shown, a part that says why the page is empty and scrolls,
 * controls that are covered, and with `forFingers` controls that are smaller than 24 px and too near to others (WCAG
 * 2.2, 2.5.8). Runs in the page.
 */
function faults(forFingers: boolean): string[] {
  const found: string[] = [];
  const { scrollWidth } = document.documentElement;
  const all = [...document.body.querySelectorAll('*')].filter(isShown);
  if (scrollWidth > innerWidth) {
    const widest = all.filter((element) => element.getBoundingClientRect().right >= scrollWidth - 1);
    found.push(`the page is ${scrollWidth} px wide: ${widest.map(named).join(', ')}`);
  }
  for (const element of all) {
    const { left, right } = element.getBoundingClientRect();
    const isInside = right <= innerWidth + 1 && left >= -1;
    if (!isInside && !chainOf(element).slice(1).some(clips) && !element.closest('svg'))
      found.push(`${named(element)} is beyond the window`);
  }
  for (const element of all) {
    const cutter = cutterOf(element);
    if (cutter) found.push(`${named(cutter)} cuts ${named(element)}`);
  }
  if (!all.some(({ tagName }) => tagName === 'H1')) found.push('the page has no heading');
  for (const part of document.querySelectorAll('.empty, .empty pre'))
    if (part.scrollWidth > part.clientWidth) found.push(`${named(part)} scrolls`);
  const controls = all.filter(
    (element) =>
      element.matches('a[href], button, input, select, textarea') &&
      !element.closest('.xterm, .cm-editor, .react-flow'),
  );
  for (const control of controls) {
    const { width, height } = targetOf(control).getBoundingClientRect();
    const isInText = control.tagName === 'A' && getComputedStyle(control).display === 'inline';
    if (forFingers && !isInText && (width < 24 || height < 24) && !isAlone(control))
      found.push(`${named(control)} is ${Math.round(width)}x${Math.round(height)} px`);
    const head = control.closest('.page-head');
    const end = head ? head.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(head).paddingRight) : 0;
    if (head && control.getBoundingClientRect().right > end + 1 && !control.closest('.tabs, .cut'))
      found.push(`${named(control)} is beyond its header`);
    const cover = coverOf(control);
    if (cover) found.push(`${named(cover)} covers ${named(control)}`);
  }
  return found;

  function named(element: Element): string {
    const words = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
    return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${words}"`;
  }
  /** Returns the element and all that it is in. */
  function chainOf(element: Element): Element[] {
    const chain: Element[] = [];
    for (let at: Element | null = element; at; at = at.parentElement) chain.push(at);
    return chain;
  }
  /** Returns what cuts the text of an element at its right, where nothing scrolls and nothing shows that it goes on. */
  function cutterOf(element: Element): Element | undefined {
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent?.trim());
    if (texts.length === 0 || element.closest('.xterm, .cm-editor, .react-flow, .hidden-visually')) return undefined;
    const range = document.createRange();
    const right = Math.max(
      ...texts.map((text) => {
        range.selectNodeContents(text);
        return range.getBoundingClientRect().right;
      }),
    );
    const chain = chainOf(element);
    const end = chain.findIndex((at) => ['auto', 'scroll'].includes(getComputedStyle(at).overflowX));
    const within = end < 0 ? chain : chain.slice(0, end);
    if (within.some((at) => getComputedStyle(at).textOverflow === 'ellipsis')) return undefined;
    return within.find((at) => clips(at) && at.getBoundingClientRect().right < right - 1);
  }
  function clips(element: Element): boolean {
    return getComputedStyle(element).overflowX !== 'visible';
  }
  function isShown(element: Element): boolean {
    const { width, height, right, bottom } = element.getBoundingClientRect();
    const isOnPage = right > 0 && bottom > 0; // the link past the navigation is above it until it has the focus
    return width > 1 && height > 1 && isOnPage && element.checkVisibility({ visibilityProperty: true });
  }
  function targetOf(control: Element): Element {
    return control.closest('label') ?? control;
  }
  /** True if a circle of 24 px around the middle of the control hits no other control. */
  function isAlone(control: Element): boolean {
    const own = targetOf(control);
    const { left, top, right, bottom } = own.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return controls.every((other) => {
      if (targetOf(other) === own || own.contains(other) || other.contains(own)) return true;
      const box = targetOf(other).getBoundingClientRect();
      const [dx, dy] = [Math.max(box.left - x, x - box.right, 0), Math.max(box.top - y, y - box.bottom, 0)];
      return Math.hypot(dx, dy) >= 12;
    });
  }
  /** Returns what a click on the middle of the visible part of a control hits instead; null if it hits the control. */
  function coverOf(control: Element): Element | null {
    let { left, top, right, bottom } = control.getBoundingClientRect();
    for (const above of chainOf(control).slice(1).filter(clips)) {
      const box = above.getBoundingClientRect();
      [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
      [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    if (right - left < 8 || bottom - top < 8) return null;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2); // null if it is below the window
    if (!hit || control.contains(hit) || hit.contains(control) || hit.closest('label')?.contains(control)) return null;
    // A bar that stays while the page scrolls may cover what is below it.
    const isBar = chainOf(hit).some((at) => ['fixed', 'sticky'].includes(getComputedStyle(at).position));
    return isBar ? null : hit;
  }
}

/** Returns the faults that are still there after the page has followed a new width, which takes some frames. */
async function faultsOf(page: Page, forFingers: boolean): Promise<string[]> {
  let found: string[] = [];
  for (let frame = 0; frame < MAX_FRAMES; frame++) {
    found = await page.evaluate(`(${faults})(${forFingers})`);
    if (found.length === 0) break;
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))');
  }
  return found;
}

describe.skipIf(chromiumPath === null)('the layout of the dashboard', () => {
  let pages: Pages;
  const web = useDashboard({ ownPages: true }, async (daemon) => {
    pages = await fillDashboard(daemon);
  });
  afterAll(() => pages?.close());

  test.each(['lists', 'missing', 'details'] as const)(
    'moves nothing while it loads, cuts nothing off, covers nothing and is accessible: %s',
    { timeout: 180_000 },
    async (group) => {
      const { daemon, page } = web;
      await page.addInitScript(OBSERVE_SHIFTS);
      await signIn(page, daemon);
      const found: unknown[] = [];
      for (const one of pages[group]) {
        const [path, words] = typeof one === 'string' ? [one] : one;
        await page.setViewportSize(PHONE_SIZE);
        await load(page, path);
        found.push(...(await faultsOfLoading(page, path)));
        await page.locator('main :is(h1, h2):visible').first().waitFor();
        if (words) await page.getByText(words).first().waitFor();
        for (const width of WIDTHS) {
          const height = width < 700 ? 640 : Math.min(Math.round(width * 0.6), MAX_HEIGHT);
          await page.setViewportSize({ width, height });
          const wrong = await faultsOf(page, width <= MAX_TOUCH_WIDTH);
          found.push(...wrong.map((fault) => `${path} at ${width} px: ${fault}`));
        }
        await page.setViewportSize(ZOOMED);
        found.push(...(await faultsOf(page, true)).map((fault) => `${path} at 400 %: ${fault}`));
        const heights = await page
          .locator(':is(.page-body, .session-body):visible')
          .evaluateAll((bodies) => bodies.map((body) => body.getBoundingClientRect().height));
        if (heights.some((height) => height < MIN_BODY_PX)) found.push(`${path} at 400 %: its body is ${heights} px`);
        await page.setViewportSize({ width: 360, height: 640 });
        for (const [colorScheme, checks] of BOTH_THEMES) {
          await page.emulateMedia({ colorScheme });
          found.push(...(await accessibilityFaults(page, checks)).map((fault) => `${path}, ${colorScheme}: ${fault}`));
        }
      }
      expect(found).toEqual([]);
    },
  );
});
