/** Tests the system page in a browser: health, charts, the sessions that print most, and the browsers. */
import { describe, expect, test } from 'vitest';
import { BOTH_THEMES, chromiumPath, expectAccessible, newPage, signIn, useDashboard } from '../harness/browser.js';
import { startDaemon } from '../harness/daemon.js';

const asks =
  'cat <<\'END\'\n```orchestrator-message\n{"type":"QUESTION","data":{"question":"Which?"}}\n```\nEND\nread a; cat';

describe.skipIf(chromiumPath === null)('the system page', () => {
  const web = useDashboard();

  test('the page shows health, charts and counts, and both themes are accessible', async () => {
    const { daemon, page } = web;
    const session = await daemon.sh(asks, '--name', 'printer');
    const item = await daemon.openItem(session);
    await signIn(page, daemon, 'system');
    await page.getByText('All is well.').waitFor();
    await page.getByRole('img', { name: /^CPU of the daemon: \d/ }).waitFor(); // A rate needs two samples.
    await page.getByRole('img', { name: /^Memory of the daemon: \d+/ }).waitFor();
    await page.locator('.bars li', { hasText: 'question' }).waitFor();
    await daemon.client.call('inbox.answer', { item: item.id, text: 'this' });
    await page.locator('.bars', { hasText: 'From a question to its answer' }).locator('.bar').first().waitFor();
    await page.getByText('No open questions.').waitFor();
    await page.getByRole('link', { name: 'printer' }).waitFor();
    // The programs of a login may have agents or none: each known agent is in one of the two lists.
    const agents = page.getByRole('region', { name: 'Agents' });
    await agents.getByRole('button', { name: 'Check again' }).click();
    await agents.getByText('are looked for in').waitFor();
    await agents.getByText('Qwen Code').waitFor();
    await expectAccessible(page, BOTH_THEMES);
  });

  test('the page shows the options that are set, all options on demand, and no secret', async () => {
    const { page } = web;
    const env = { ORCHD_SESSIONS_COLS: '90', ORCHD_NOTIFY_COMMAND: 'true --token sesame' };
    const other = await startDaemon({ flags: ['--port', '0'], env });
    try {
      await signIn(page, other, 'system');
      const table = page.getByRole('region', { name: 'Options' });
      await table.getByRole('row', { name: /sessions\.cols.*90.*environment/s }).waitFor();
      await table.getByRole('row', { name: /daemon\.port.*command line/s }).waitFor();
      await table.getByRole('row', { name: /notify\.command.*set, not shown/s }).waitFor();
      expect(await page.content()).not.toContain('sesame');
      // Three options and the heading.
      expect(await table.getByRole('row').count()).toBe(4);
      await page.getByRole('button', { name: /All \d+ options/ }).click();
      await table.getByRole('row', { name: /retention\.days.*default/s }).waitFor();
      await expectAccessible(page);
    } finally {
      await other.close();
    }
  });

  test('a browser that is signed out here, after a confirmation, loses access immediately', async () => {
    const { daemon, browser, page } = web;
    const phone = await browser.newContext();
    const other = await newPage(phone);
    await signIn(other, daemon, '', { name: 'lost phone', role: 'answer' });
    await signIn(page, daemon, 'system');
    await page.getByRole('button', { name: 'Sign out lost phone' }).click();
    await expectAccessible(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await other.getByText('Open the dashboard from a terminal').waitFor();
    await page.getByRole('button', { name: 'Sign out lost phone' }).waitFor({ state: 'detached' });
    await phone.close();
  });

  test('each note on an agent has a row of its own, with commands as code', async () => {
    const { daemon, page } = web;
    const notes = ['orchd adds --session-id', 'a hook runs `orchd hook`, which waits'];
    const agent = {
      name: 'claude',
      label: 'Claude Code',
      path: '/usr/bin/claude',
      problem: null,
      is_script: false,
      notes,
      version: '2.1.0',
      tried_version: '2.1.0',
      added_arguments: [],
      added_variables: [],
      missing_flags: [],
      hears: ['transcript'],
      teachable: true,
      tools: true,
    };
    await page.route('**/api/installed-agents', (route) =>
      route.fulfill({ json: { path: '/usr/bin', agents: [agent] } }),
    );
    await signIn(page, daemon, 'system');
    await page.getByText('Claude Code').click();
    const rows = page.locator('.agent-notes > li');
    await rows.nth(1).waitFor();
    expect(await rows.allInnerTexts()).toEqual(['orchd adds --session-id', 'a hook runs orchd hook, which waits']);
    expect(await rows.locator('code').allInnerTexts()).toEqual(['orchd hook']);
    const [first, second] = [await rows.nth(0).boundingBox(), await rows.nth(1).boundingBox()];
    expect(second?.y).toBeGreaterThanOrEqual((first?.y ?? 0) + (first?.height ?? 0));
    expect(second?.height).toBe(first?.height); // The words stay on one line.
    await expectAccessible(page);
  });

  test('the value of each chart stays on one line, also while the pointer shows a time', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, 'system');
    const chart = page.getByRole('img', { name: /^Memory of the daemon: \d+/ });
    await chart.hover();
    await page.locator('.chart-time').waitFor();
    const heights = await page.locator('.chart-value').evaluateAll((values) =>
      values.map((value) => {
        const range = document.createRange();
        range.selectNodeContents(value);
        return range.getClientRects().length;
      }),
    );
    expect(heights).toEqual([1, 1, 1, 1]);
    const captions = await page.locator('.chart figcaption').all();
    const boxes = await Promise.all(captions.map((caption) => caption.boundingBox()));
    expect(new Set(boxes.map((box) => box?.height)).size).toBe(1);
  });

  test('a browser with the role read sees neither the browsers nor the installed agents', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, 'system', { role: 'read' });
    await page.getByText('All is well.').waitFor();
    expect(await page.getByText('Browsers').count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Agents' }).count()).toBe(0);
  });
});
