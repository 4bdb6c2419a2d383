/** Tests the dashboard on a hub: items and sessions of another machine, and answers to them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkflowRun } from '../../src/protocol/index.js';
import { BOTH_THEMES, chromiumPath, expectAccessible, go, signIn, useDashboard } from '../harness/browser.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type HoldingProxy, holdingProxy } from '../harness/holding-proxy.js';
import { enroll, joinHub } from '../harness/hub.js';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.js';

describe.skipIf(chromiumPath === null || !hasNats)('the dashboard of a machine on a hub', () => {
  const web = useDashboard();
  let server: NatsServer;
  let build: TestDaemon;
  /** A machine that lets others read and answer only. */
  let closed: TestDaemon;
  let way: HoldingProxy;
  beforeAll(async () => {
    server = await startNats();
    const env = { ORCHD_HUB_ACCEPT: 'read, answer, type, start', ORCHD_HUB_LABELS: 'gpu' };
    [build, closed] = await Promise.all([
      startDaemon({ env: { ...env, ORCHD_HUB_SHARE: 'screens' } }),
      startDaemon({ env: { ORCHD_HUB_SHARE: 'screens' } }),
    ]);
    await web.daemon.orchd('hub', 'init', server.url);
    await joinHub(web.daemon, server.url, 'laptop');
    way = await holdingProxy(server.port);
    await joinHub(build, way.url, 'build');
    await joinHub(closed, server.url, 'closed');
    for (const daemon of [build, closed]) await enroll(daemon, 'laptop', web.daemon);
  });
  afterAll(async () => {
    for (const daemon of [build, closed]) await daemon?.close();
    way?.close();
    await server?.close();
  });
  const screenText = (text: string) => web.page.locator('.xterm-accessibility', { hasText: text }).waitFor();

  test('a question of another machine is listed, filtered by its machine, and answered there', async () => {
    const { daemon, page } = web;
    const typed = join(build.env['ORCHD_HOME'] ?? '', 'typed');
    const script = `echo ":ORCHESTRATOR: QUESTION - Which colour?"; while read -r x; do echo "$x" >> ${typed}; done`;
    await build.openItem(await build.sh(script, '--name', 'ask'));
    await daemon.sh('cat', '--name', 'own');
    await signIn(page, daemon);
    const row = page.locator('.item-row', { hasText: 'build/ask' });
    await row.waitFor();
    await expect.poll(() => page.title()).toBe('(1) Inbox · orchd');
    await go(page, 'sessions?q=build/');
    await page.getByRole('link', { name: /build\/ask/ }).waitFor();
    expect(await page.locator('.session-row').count()).toBe(1);
    await page.keyboard.press('j');
    await page.keyboard.press('K');
    await page.getByText('build/ask runs on build. Here you can open it').waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: /build\/ask/ }).click();
    await screenText('Which colour?');
    await page.locator('.messages .message', { hasText: 'Which colour?' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Which colour?' }).click();
    await page.locator('.item[data-machine="build"]').waitFor();
    await expectAccessible(page, BOTH_THEMES);
    await page.getByRole('textbox').fill('blue');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.locator('.item[data-state="answered"]').waitFor();
    await expect.poll(() => readFileSync(typed, { encoding: 'utf8', flag: 'a+' })).toBe('blue\n');
    await expect.poll(() => row.count()).toBe(0);
  });

  test('a question that is answered on its machine while it is shown tells who answered what', async () => {
    const { daemon, page } = web;
    const script = 'echo ":ORCHESTRATOR: QUESTION - Which size?"; read -r x; cat';
    const item = await build.openItem(await build.sh(script, '--name', 'size'));
    await signIn(page, daemon, `inbox/build/${item.id}`);
    await page.getByRole('button', { name: 'Send answer' }).waitFor();
    await build.client.call('inbox.answer', { item: item.id, text: 'large', by: 'bob' });
    await page.locator('.item[data-state="answered"] .answer-text', { hasText: 'large' }).waitFor();
    await page.getByLabel('Answer', { exact: true }).getByText('bob').waitFor();
    await expectAccessible(page);
    await page.reload(); // a link to it goes on working
    await page.locator('.item[data-state="answered"] .answer-text', { hasText: 'large' }).waitFor();
  });

  test('a terminal of another machine takes keys and the size of the page, and goes on after the hub was cut', async () => {
    const { daemon, page } = web;
    const script = 'echo ready; while read -r x; do echo "got <$x> $(stty size)"; done';
    const session = await build.sh(script, '--name', 'typed');
    await signIn(page, daemon, `sessions/build/${session.id}`);
    await screenText('ready');
    await page.getByText("Read-only, over the hub, in the session's own size").waitFor();
    await page.getByRole('button', { name: 'Take control' }).click();
    await page.locator('.live-terminal.in-control .xterm-helper-textarea:focus').waitFor();
    await screenText('ready');
    await page.keyboard.type('hello');
    await page.keyboard.press('Enter');
    const { size } = await build.client.call('session.show', { session: session.id });
    expect(size).not.toEqual(session.size);
    await screenText(`got <hello> ${size.rows} ${size.cols}`);
    await expectAccessible(page);
    way.refuse();
    await page.getByText('build cannot be reached').waitFor();
    await expectAccessible(page);
    await screenText('got <hello>'); // the last screen stays
    way.release();
    await page.getByText('build cannot be reached').waitFor({ state: 'detached', timeout: 30_000 });
    await page.locator('.live-terminal .xterm-helper-textarea').focus();
    await page.keyboard.type('again');
    await page.keyboard.press('Enter');
    await screenText('got <again>');
    await page.keyboard.press('Control+Shift+L');
    await page.getByRole('button', { name: 'Take control' }).waitFor();
  });

  test('a machine that lets nobody type says so, and a device that may only read has no control', async () => {
    const { daemon, page } = web;
    const session = await closed.sh('echo look; cat', '--name', 'shown');
    await signIn(page, daemon, `sessions/closed/${session.id}`);
    await screenText('look');
    await page.getByRole('button', { name: 'Take control' }).click();
    await page.getByText(/'closed' does not accept this: its hub.accept is "read, answer"/).waitFor();
    await page.getByRole('button', { name: 'Take control' }).waitFor();
    await screenText('look');
    await signIn(page, daemon, `sessions/closed/${session.id}`, { role: 'read' });
    await screenText('look');
    expect(await page.getByRole('button', { name: 'Take control' }).count()).toBe(0);
  });

  test('the page of a workflow names the machine of a placed run, and opens its session', async () => {
    const { daemon, page } = web;
    const folder = mkdtempSync(join(tmpdir(), 'orchd-web-machines-'));
    try {
      const args = ['sh', '-c', 'echo at work; exec sleep 1000'];
      await build.client.call('blueprint.create', { name: 'waits', adapter: 'shell', args });
      const file = join(folder, 'Agentfile');
      const run = async (goal: string): Promise<string> => {
        writeFileSync(file, `GOAL ${goal} IN "/" WITH waits\n`);
        return (await daemon.json<WorkflowRun>('workflow', 'run', '-d', '-C', folder, file)).id;
      };
      const placed = await run('train "Train" ON label:gpu');
      const waiting = await run('tell "Tell" ON label:none');
      await signIn(page, daemon, `workflows/${waiting}?step=tell`);
      await page.locator('.graph-box').getByText('waits for a machine with label:none').waitFor();
      await go(page, `workflows/${placed}?step=train`);
      await page.locator('.step-runs').getByText('on build, running').waitFor();
      await page.locator('.graph-box').getByText('on build').waitFor();
      await expectAccessible(page);
      await page.locator('.step-runs').getByRole('link', { name: 'train' }).click();
      await page.waitForURL('**/ui/sessions/build/**');
      await screenText('at work');
      for (const id of [placed, waiting]) await daemon.orchd('workflow', 'cancel', id);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
