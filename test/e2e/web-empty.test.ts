/** Tests pages without entries, and addresses at which there is nothing (any more). */
import { describe, expect, test } from 'vitest';
import { chromiumPath, expectAccessible, go, signIn, useDashboard } from '../harness/browser.js';

const SIZES = [
  { width: 360, height: 640 },
  { width: 1280, height: 800 },
];
const ABSENT = [
  ['nowhere', 'There is no such page'],
  ['inbox/itm_none', 'This question is not there'],
  ['inbox/build/itm_none', 'This question is not open'],
  ['sessions/ses_none', 'This session is not there'],
  ['sessions/build/ses_none', 'This session does not run'],
  ['recordings/ses_none', 'This recording is not there'],
  ['agents/none', 'This agent is not there'],
  ['runs/run_none', 'This run is not there'],
  ['tasks/tsk_none', 'This task is not there'],
  ['workflows/wfl_none', 'This workflow is not there'],
  ['envelopes/999999', 'This envelope is not there'],
  ['events/999999', 'It cannot be explained'],
] as const;
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

  test('each address without a thing has a heading in small and large windows, and is accessible', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon);
    for (const [path, words] of ABSENT) {
      await go(page, path);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await page.getByText(words).first().waitFor();
        await expect.poll(() => page.locator('h1:visible').count(), { message: path }).toBeGreaterThan(0);
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
