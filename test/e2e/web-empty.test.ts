/** Tests pages without entries. The test of the layout has addresses at which there is nothing (any more). */
import { describe, expect, test } from 'vitest';
import { chromiumPath, expectAccessible, go, signIn, useDashboard } from '../harness/browser.js';

const SIZES = [
  { width: 360, height: 640 },
  { width: 1280, height: 800 },
];
const EMPTY = [
  'inbox',
  'sessions',
  'agents',
  'runs',
  'tasks',
  'workflows',
  'envelopes',
  'events',
  'recordings',
  'system',
];

describe.skipIf(chromiumPath === null)('pages with nothing to show', () => {
  const web = useDashboard();

  test('each page without entries fits into small and large windows, and is accessible', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon);
    for (const path of EMPTY) {
      await go(page, path);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await page.locator('h1').first().waitFor();
        await expect.poll(beyond, { message: path }).toEqual([]);
        await expectAccessible(page);
      }
    }
  });

  /** Returns the parts of empty pages that reach beyond the window, or that scroll. */
  const beyond = () =>
    web.page.locator('.empty, .empty pre').evaluateAll((parts) =>
      parts.flatMap((part) => {
        const isIn = part.getBoundingClientRect().right <= innerWidth && part.scrollWidth <= part.clientWidth;
        return isIn ? [] : [part.outerHTML];
      }),
    );
});
