/** Tests the dashboard on a hub: items and sessions of another machine, and answers to them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, expectAccessible, go, signIn, useDashboard } from '../harness/browser.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.js';

describe.skipIf(chromiumPath === null || !hasNats)('the dashboard of a machine on a hub', () => {
  const web = useDashboard();
  let server: NatsServer;
  let build: TestDaemon;
  beforeAll(async () => {
    server = await startNats();
    build = await startDaemon({ env: { ORCHD_HUB_SHARE: 'screens', ORCHD_HUB_ACCEPT: 'read, answer' } });
    await web.daemon.orchd('hub', 'init', server.url);
    await web.daemon.json('hub', 'join', server.url, '--name', 'laptop');
    await build.json('hub', 'join', server.url, '--name', 'build');
    const { key } = await web.daemon.json<{ key: string }>('hub', 'key');
    await build.json('hub', 'enroll', 'laptop', key);
  });
  afterAll(async () => {
    await build?.close();
    await server?.close();
  });

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
    await page.getByRole('region', { name: 'Screen of build/ask' }).getByText('Which colour?').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Which colour?' }).click();
    await page.locator('.item[data-machine="build"]').waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
    }
    await page.getByRole('textbox').fill('blue');
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.locator('.item[data-state="answered"]').waitFor();
    await expect.poll(() => readFileSync(typed, { encoding: 'utf8', flag: 'a+' })).toBe('blue\n');
    await expect.poll(() => row.count()).toBe(0);
  });
});
