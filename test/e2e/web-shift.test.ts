/**
 * Tests that no page of the dashboard moves while it loads, and that what a person reads stays where it is when
 * something happens. The browser reports each shift: its share of the window times its distance. It reports no rows
 * that a transform moves, so the places of rows are measured, too.
 */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import {
  chromiumPath,
  expectAccessible,
  go,
  load,
  newPage,
  PHONE_SIZE,
  problems,
  signIn,
  USUAL_SIZE,
  useDashboard,
} from '../harness/browser.js';
import type { TestDaemon } from '../harness/daemon.js';
import { fillDashboard, type Pages } from '../harness/filled-dashboard.js';
import { faultsOfLoading, OBSERVE_SHIFTS, shiftFaults, takeShifts } from '../harness/shifts.js';

const WIDE_SIZE = { width: 2560, height: 1440 };
const SIZES = [PHONE_SIZE, USUAL_SIZE, WIDE_SIZE];

describe.skipIf(chromiumPath === null)('what the dashboard shows stays where it is', () => {
  let pages: Pages;
  const web = useDashboard({}, async (daemon) => {
    pages = await fillDashboard(daemon);
  });
  afterAll(() => pages?.close());

  // The test of the layout loads each page on a phone. A wide window loads the lists, which have more columns there.
  // The other pages have the same styles in both windows. Addresses without a thing show one sentence, so the phone
  // suffices. One window follows the other: if both load pages at once, the browser starts a process for each page.
  test('while each page loads, and each list in a wide window', { timeout: 300_000 }, async () => {
    const faultsAt = async (viewport: (typeof SIZES)[number], paths: readonly string[]): Promise<unknown[]> => {
      const context = await web.browser.newContext({ viewport });
      const page = await newPage(context);
      await page.addInitScript(OBSERVE_SHIFTS);
      await signIn(page, web.daemon);
      const found: unknown[] = [];
      for (const path of paths) {
        await load(page, path);
        found.push(...(await faultsOfLoading(page, path)));
      }
      found.push(...(problems.get(page) ?? []));
      await context.close();
      return found.map((fault) => [viewport.width, fault]);
    };
    const { lists, details } = pages;
    const found = [...(await faultsAt(USUAL_SIZE, [...lists, ...details])), ...(await faultsAt(WIDE_SIZE, lists))];
    expect(found).toEqual([]);
  });

  test.each(SIZES)('when something happens, $width px wide', { timeout: 120_000 }, async (size) => {
    const { daemon, page } = web;
    await page.setViewportSize(size);
    await signIn(page, daemon);
    await page.evaluate(OBSERVE_SHIFTS);
    // Cards are left out: a session that waits takes the first place among them.
    for (const path of ['inbox', 'sessions', 'runs', 'events', 'system']) {
      await go(page, path);
      await takeShifts(page); // those of the way to the page
      const name = `new-${path.replaceAll(/\W/g, '-')}-${size.width}`;
      const session = await daemon.sh('echo ":ORCHESTRATOR: QUESTION - Which one?"; read -r x; cat', '--name', name);
      await daemon.openItem(session);
      if (path !== 'system')
        await page
          .getByText(path === 'runs' ? 'Runs' : name)
          .first()
          .waitFor({ state: 'attached' });
      expect(await shiftFaults(page, path)).toEqual([]);
    }
  });

  /** Does something to each list of the dashboard. */
  async function happen({ client, sh, openItem }: TestDaemon, asking: Session, name: string): Promise<void> {
    const { id: item } = await openItem(asking);
    await client.call('inbox.answer', { item, text: 'elsewhere' });
    await openItem(await sh('echo ":ORCHESTRATOR: QUESTION - Which one?"; cat', '--name', name));
    await client.call('run.start', { adapter: 'shell', args: ['cat'], prompt: name });
    await client.call('task.create', { prompt: name, plan: false });
    const { id } = await client.call('workflow.run', { agentfile: `NAME ${name}\nASK go "Go?" -> go\n` });
    const asks = async () => (await client.call('inbox.list', {})).some(({ workflow_id }) => workflow_id === id);
    await expect.poll(asks).toBe(true);
  }

  test.each([
    ['inbox', '.item-row'],
    ['sessions', '.session-link'],
    ['sessions?view=cards', '.card-link'],
    ['sessions?view=terminals', '.terminal-cell-head'],
    ['recordings', '.session-link'],
    ['runs', '.one-row'],
    ['tasks', '.task-card-link'],
    ['workflows', '.one-row'],
  ])('rows under the pointer keep their places on %s, and are ordered anew when it leaves', async (path, rows) => {
    const { daemon, page } = web;
    const name = `live-${path.replaceAll(/\W/g, '-')}`;
    const asking = await daemon.sh('echo ":ORCHESTRATOR: QUESTION - Where?"; cat', '--name', `${name}-first`);
    await daemon.openItem(asking);
    await signIn(page, daemon, path);
    await page.locator(rows).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.mouse.move(0, 0);
    await page.locator(rows).first().hover();
    const before = await placesOf(page, rows);
    await happen(daemon, asking, name);
    const open = (await daemon.client.call('inbox.list', {})).length;
    await expect.poll(() => page.title()).toMatch(`(${open})`);
    await page.waitForLoadState('networkidle');
    const after = await placesOf(page, rows);
    expect(new Map([...before].map(([row]) => [row, after.get(row)]))).toEqual(before);
    await page.mouse.move(2, 2);
    if (path === 'sessions?view=cards') await page.locator(`${rows} >> nth=0`).getByText(name).waitFor();
  });

  test('messages under the pointer keep their places when messages and a question come', async () => {
    const { daemon, page } = web;
    const status = JSON.stringify({ type: 'STATUS_UPDATE', data: { progress: 5, currentStep: 'Working on it' } });
    const says = `printf '\`\`\`orchestrator-message\\n%s\\n\`\`\`\\n' '${status}'`;
    const script = `for i in 1 2 3 4 5 6 7 8 9 10 11 12; do ${says}; done; read -r x; ${says}
      echo ":ORCHESTRATOR: QUESTION - Which one?"; cat`;
    const session = await daemon.sh(script, '--name', 'tells');
    await signIn(page, daemon, `sessions/${session.id}`);
    await page.locator('.message').nth(11).waitFor();
    const list = page.locator('.session-side-body');
    await list.hover();
    const before = await placesOf(page, '.message-links a');
    await daemon.client.call('session.send', { session: session.id, text: 'go on', wait_ms: 0 });
    await page.locator('button.open-line').waitFor();
    await page.getByRole('button', { name: '2 new' }).waitFor();
    const after = await placesOf(page, '.message-links a');
    expect(new Map([...before].map(([row]) => [row, after.get(row)]))).toEqual(before);
    // The question opens when the pointer leaves, and the newest message is shown.
    await page.mouse.move(2, 2);
    await page.locator('.open-item').waitFor();
    await page.getByRole('button', { name: '2 new' }).waitFor({ state: 'detached' });
    await expectAccessible(page);
  });
});

/** Returns the places of the links that can be seen, by their address. */
async function placesOf(page: Page, links: string): Promise<Map<string, string>> {
  const found = await page.evaluate(`[...document.querySelectorAll('${links}')].flatMap((link) => {
    const { x, y } = link.getBoundingClientRect();
    return y >= 0 && y < innerHeight ? [[link.getAttribute('href'), Math.round(x) + ' ' + Math.round(y)]] : [];
  })`);
  return new Map(found as [string, string][]);
}
