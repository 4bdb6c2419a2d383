/** Tests the navigation on a phone: the bar of pages, and the sheet with the other pages and commands. */
import { describe, expect, test } from 'vitest';
import { BOTH_THEMES, chromiumPath, expectAccessible, signIn, useDashboard } from '../harness/browser.js';

const BAR = ['Inbox', 'Sessions', 'Runs', 'Tasks'];
const OTHERS = ['Agents', 'Workflows', 'Envelopes', 'Events', 'Recordings', 'System'];

describe.skipIf(chromiumPath === null)('the navigation on a phone', () => {
  const web = useDashboard();
  const bar = () => web.page.getByRole('navigation', { name: 'Pages', exact: true });
  const more = () => bar().getByRole('button', { name: /^More/ });
  const sheet = () => web.page.getByRole('dialog', { name: 'More' });
  const hasFocus = (part: ReturnType<typeof more>) => part.evaluate((node) => node === document.activeElement);

  test.each([320, 360, 719])(
    'at %i pixels every page is in the bar or the sheet, and nothing scrolls',
    async (width) => {
      const { daemon, page } = web;
      await page.setViewportSize({ width, height: 640 });
      await signIn(page, daemon);
      expect(await bar().locator('.nav-title').allInnerTexts()).toEqual([...BAR, 'More']);
      const boxes = await Promise.all((await bar().locator('.nav-page').all()).map((one) => one.boundingBox()));
      for (const box of boxes) {
        expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      }
      const isCut = (parts: Element[]) => parts.some((part) => part.scrollWidth > part.clientWidth);
      expect(await bar().locator('ul, .nav-page').evaluateAll(isCut)).toBe(false);
      await more().click();
      const pages = sheet().getByRole('navigation', { name: 'Other pages' });
      expect(await pages.getByRole('link').allInnerTexts()).toEqual(OTHERS);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await expectAccessible(page, BOTH_THEMES);
    },
  );

  test('the actions of a session take one row, and More actions shows the others', async () => {
    const { daemon, page } = web;
    const { id } = await daemon.sh('read x', '--name', 'acts');
    await page.setViewportSize({ width: 360, height: 740 });
    await signIn(page, daemon, `sessions/${id}`);
    const buttons = page.locator('.session .page-head .wraps').filter({ hasText: 'Recording' }).last();
    await buttons.getByRole('button', { name: 'Take control' }).waitFor();
    const tops = (): Promise<number> =>
      buttons
        .locator(':scope > *')
        .evaluateAll((all) => new Set(all.map((one) => Math.round(one.getBoundingClientRect().top))).size);
    expect(await tops()).toBe(1);
    expect(await page.getByRole('button', { name: 'Rename' }).count()).toBe(0);
    const others = buttons.getByRole('button', { name: 'More actions' });
    await others.click();
    await page.getByRole('button', { name: 'Rename' }).waitFor();
    expect(await others.getAttribute('aria-expanded')).toBe('true');
    await expectAccessible(page);
    await daemon.client.call('session.kill', { session: id, grace_ms: 100 });
  });

  test('the sheet works by keyboard, and the button says on which of its pages one is', async () => {
    const { daemon, page } = web;
    await page.setViewportSize({ width: 360, height: 640 });
    await signIn(page, daemon);
    await more().focus();
    await page.keyboard.press('Enter');
    await sheet().waitFor();
    await page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(more())).toBe(true);
    await page.keyboard.press('Enter');
    const system = sheet().getByRole('link', { name: 'System' });
    await system.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/ui/system');
    await sheet().waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'System' }).waitFor();
    await bar().getByRole('button', { name: 'More (you are on System)' }).click();
    expect(await system.getAttribute('aria-current')).toBe('page');
    await sheet().getByRole('button', { name: 'Search and commands' }).click();
    const search = page.getByRole('dialog', { name: 'Search and commands' });
    await search.waitFor();
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(more())).toBe(true);
    await more().click();
    await sheet().getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Open the dashboard from a terminal').waitFor();
  });

  test('wide code and tables of a question scroll by keyboard', async () => {
    const { daemon, page } = web;
    const wide = `\`\`\`\n${'long '.repeat(40)}\n\`\`\`\n\n|${' wide |'.repeat(20)}\n|${' --- |'.repeat(20)}\n`;
    const data = { question: 'Which?', context: wide };
    const text = `\`\`\`orchestrator-message\n${JSON.stringify({ type: 'QUESTION', data })}\n\`\`\``;
    const session = await daemon.sh(`printf '%s\\n' '${text}'; cat`);
    const item = await daemon.openItem(session);
    await page.setViewportSize({ width: 360, height: 640 });
    await signIn(page, daemon, `inbox/${item.id}`);
    const scrolling = page.locator('.prose :is(pre, table)');
    await scrolling.nth(1).waitFor();
    const isWide = (parts: Element[]) => parts.map((part) => part.scrollWidth > part.clientWidth);
    expect(await scrolling.evaluateAll(isWide)).toEqual([true, true]);
    await expectAccessible(page);
  });

  test('a phone that is turned shows all pages beside the page', async () => {
    const { daemon, page } = web;
    await page.setViewportSize({ width: 360, height: 740 });
    await signIn(page, daemon);
    await more().waitFor();
    await page.setViewportSize({ width: 740, height: 360 });
    await more().waitFor({ state: 'detached' });
    expect(await bar().locator('.nav-title').allInnerTexts()).toHaveLength(BAR.length + OTHERS.length);
  });
});
