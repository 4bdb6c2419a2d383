/** Tests the page in the background, after the computer slept, and while an answer is not delivered. */
import { describe, expect, test } from 'vitest';
import { chromiumPath, expectAccessible, signIn, useDashboard } from '../harness/browser.js';

const PATIENCE = { timeout: 20_000 };
const asks = (question: string, then: string): string =>
  `cat <<'END'\n\`\`\`orchestrator-message\n${JSON.stringify({ type: 'QUESTION', data: { question } })}\n\`\`\`\nEND\n${then}`;

describe.skipIf(chromiumPath === null)('the page in the background', () => {
  const web = useDashboard({ env: { ORCHD_SESSIONS_STALL_MS: '1000' }, ownPages: true });

  test('after a sleep the page reconnects without a reload and shows new items', async () => {
    const { daemon, page } = web;
    await page.clock.install();
    let sockets = 0;
    page.on('websocket', () => {
      sockets += 1;
    });
    await signIn(page, daemon);
    await page.evaluate('globalThis.sameDocument = true');
    const before = sockets;
    // Advances the clock by an hour at once, so that timers are late as after a sleep.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await daemon.sh(asks('Asked in the night?', 'cat'));
    await page.clock.resume();
    await expect.poll(() => sockets, PATIENCE).toBeGreaterThan(before);
    await page.locator('[data-connection="live"]').waitFor();
    await page.getByText('Asked in the night?').first().waitFor();
    expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
  });

  test('a frozen page misses no message while the daemon restarts, and needs no reload', async () => {
    const { daemon, context, page } = web;
    const status = JSON.stringify({ type: 'STATUS_UPDATE', data: { progress: 5, currentStep: 'Working' } });
    const says = `printf '\`\`\`orchestrator-message\\n%s\\n\`\`\`\\n' '${status}'`;
    const session = await daemon.sh(`while read -r count; do for i in $(seq $count); do ${says}; done; done`);
    const tell = (count: number) =>
      daemon.client.call('session.send', { session: session.id, text: String(count), wait_ms: 0 });
    const heard = (count: number) =>
      expect
        .poll(async () => {
          const told = await daemon.client.call('event.list', { type: ['message'], session: session.id, limit: 1000 });
          return told.length;
        }, PATIENCE)
        .toBe(count);
    await signIn(page, daemon, `sessions/${session.id}`);
    const { port } = new URL(page.url());
    await page.evaluate('globalThis.sameDocument = true');
    await tell(1);
    await page.locator('.message').waitFor();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    await tell(60);
    await heard(61);
    await daemon.crash();
    expect((await daemon.orchd('start', '--detach', '--port', port)).code).toBe(0);
    await tell(30);
    await heard(91);
    await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    await expect.poll(() => page.locator('.message').count(), PATIENCE).toBe(91);
    expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
  });

  test('a hidden page shows a notification, and title and badge count the open items', async () => {
    const { daemon, page } = web;
    await page.addInitScript(`
      globalThis.notified = [];
      globalThis.badges = [];
      globalThis.Notification = class {
        static permission = 'granted';
        constructor(title, about) { globalThis.notified.push([title, about.body]); }
      };
      navigator.setAppBadge = (count) => { globalThis.badges.push(count); return Promise.resolve(); };
      Object.defineProperty(document, 'visibilityState', { get: () => globalThis.shown ?? 'hidden' });
    `);
    await signIn(page, daemon);
    await daemon.sh(asks('Seen \u202Efrom afar?', 'cat'));
    await expect.poll(() => page.evaluate('globalThis.notified.length'), PATIENCE).toBe(1);
    expect(await page.evaluate('globalThis.notified[0]')).toEqual([
      'An agent waits for you',
      expect.stringMatching(/^Seen ‹U\+202E›from afar\?$/),
    ]);
    const open = (await daemon.client.call('inbox.list', {})).length;
    await expect.poll(() => page.title(), PATIENCE).toBe(`(${open}) Inbox · orchd`);
    await expect.poll(() => page.evaluate('globalThis.badges.at(-1)'), PATIENCE).toBe(open);
    await page.evaluate(`globalThis.shown = 'visible'`);
    const item = await daemon.openItem(await daemon.sh(asks('Seen at once?', 'cat')));
    await page.getByText('Seen at once?').first().waitFor();
    expect(item.state).toBe('open');
    expect(await page.evaluate('globalThis.notified.length')).toBe(1);
  });

  test('a phone, whose pages may not notify, shows the notification by the service worker', async () => {
    const { daemon, context, page } = web;
    await context.grantPermissions(['notifications']);
    await page.addInitScript(`
      globalThis.Notification = class {
        static permission = 'granted';
        constructor() { throw new TypeError('Illegal constructor'); }
      };
      Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    `);
    await signIn(page, daemon);
    const item = await daemon.openItem(await daemon.sh(asks('Seen on the phone?', 'cat')));
    const shown = `navigator.serviceWorker.getRegistration()
      .then((worker) => worker?.getNotifications() ?? [])
      .then((all) => all.map(({ body, tag }) => ({ body, tag })))`;
    await expect.poll(() => page.evaluate(shown), PATIENCE).toEqual([{ body: 'Seen on the phone?', tag: item.id }]);
    const [worker] = context.serviceWorkers();
    await worker?.evaluate(`self.registration.getNotifications().then(([notification]) => {
      self.dispatchEvent(new NotificationEvent('notificationclick', { notification }));
    })`);
    await page.waitForURL(`**/ui/inbox/${item.id}`);
    expect(await page.evaluate(shown)).toEqual([]);
  });

  test('the browser can install the page as an app', async () => {
    const { daemon, context, page } = web;
    await signIn(page, daemon);
    const devtools = await context.newCDPSession(page);
    const { manifest } = await devtools.send('Page.getAppManifest').then(({ data }) => ({ manifest: data }));
    expect(JSON.parse(manifest ?? '{}')).toMatchObject({ name: 'orchd', display: 'standalone' });
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    // The browser of the test has no profile of its own, which is no matter of the page.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
    const sizes = await page.evaluate(`Promise.all(['icon-192', 'icon-512', 'icon-maskable'].map(async (name) => {
      const image = new Image();
      image.src = '/ui/' + name + '.png';
      await image.decode();
      return image.naturalWidth;
    }))`);
    expect(sizes).toEqual([192, 512, 512]);
  });

  test('other pages open while the daemon is away, and one that was not loaded appears when it is back', async () => {
    const { daemon, context, page } = web;
    await context.route('**/assets/system-page-*', (route) => route.abort());
    await signIn(page, daemon);
    const { port } = new URL(page.url());
    const isLoaded = `performance.getEntriesByType('resource').some(({ name }) => name.includes('/recordings-page-'))`;
    await expect.poll(() => page.evaluate(isLoaded), PATIENCE).toBe(true);
    await daemon.crash();
    await page.locator('[data-connection="away"]').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('y');
    await page.getByText('This page is not loaded yet').waitFor();
    await expectAccessible(page);
    await context.unroute('**/assets/system-page-*');
    expect((await daemon.orchd('start', '--detach', '--port', port)).code).toBe(0);
    await page.getByRole('heading', { name: 'System' }).waitFor();
  });

  test('an answer that the daemon did not get stays in the form, and its error goes when the daemon is back', async () => {
    const { daemon, page } = web;
    const item = await daemon.openItem(await daemon.sh(asks('Is it kept?', 'read a; echo "took $a"; cat')));
    await signIn(page, daemon, `inbox/${item.id}`);
    const { port } = new URL(page.url());
    await page.getByRole('textbox').fill('kept');
    await daemon.crash();
    await page.locator('[data-connection="away"]').waitFor();
    await page.getByRole('button', { name: 'Send answer' }).click();
    const error = page.getByRole('alert').filter({ hasText: 'The daemon does not answer' });
    await error.waitFor();
    expect((await daemon.orchd('start', '--detach', '--port', port)).code).toBe(0);
    await page.locator('[data-connection="live"]').waitFor();
    await error.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send answer' }).click();
    await page.locator('[data-delivery="acknowledged"]').waitFor();
    expect(await daemon.client.call('inbox.show', { item: item.id })).toMatchObject({ answer: { text: 'kept' } });
  });

  test('an undelivered answer is shown as stalled with its reason, and later as acknowledged', async () => {
    const { daemon, page } = web;
    const item = await daemon.openItem(await daemon.sh(asks('Does it arrive?', 'read a; echo "took $a"; cat')));
    await signIn(page, daemon, `inbox/${item.id}`);
    const { host } = await daemon.client.call('daemon.status', {});
    process.kill(host.pid, 'SIGSTOP');
    try {
      await page.getByRole('textbox').fill('hello');
      await page.getByRole('button', { name: 'Send answer' }).click();
      await page.locator('[data-delivery="stalled"]').waitFor();
      await page.locator('.delivery .notice').waitFor();
      await expectAccessible(page);
    } finally {
      process.kill(host.pid, 'SIGCONT');
    }
    await page.locator('[data-delivery="acknowledged"]').waitFor();
  });
});
