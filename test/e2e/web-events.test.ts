/** Tests the events pages in a browser: live, filtered, paused, exported, explained. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BOTH_THEMES, chromiumPath, expectAccessible, go, signIn, useDashboard } from '../harness/browser.js';

const PATIENCE = { timeout: 20_000 };
const asks = (question: string): string =>
  `cat <<'END'\n\`\`\`orchestrator-message\n${JSON.stringify({ type: 'QUESTION', data: { question } })}\n\`\`\`\nEND\ncat`;

describe.skipIf(chromiumPath === null)('the events pages', () => {
  const web = useDashboard();

  const rows = (text: string) => web.page.locator('.event-row', { hasText: text });

  test('past and new events are listed, and both themes are accessible', async () => {
    const { daemon, page } = web;
    await daemon.sh('cat', '--name', 'earlier');
    await signIn(page, daemon, 'events');
    await rows('earlier: sh -c cat').waitFor();
    await daemon.sh('cat', '--name', 'later');
    await rows('later: sh -c cat').waitFor();
    await expectAccessible(page, BOTH_THEMES);
  });

  test('an event that is read stays in its place while older events are loaded above it', async () => {
    const { daemon, page } = web;
    const { id } = await daemon.sh('cat', '--name', 'many');
    for (let at = 0; at < 350; at++) await daemon.client.call('session.rename', { session: id, name: `many-${at}` });
    let release = (): void => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/api\/events\?.*since=0\b/, async (route) => {
      await isReleased;
      await route.continue();
    });
    await signIn(page, daemon, 'events');
    await rows('many-349').first().waitFor();
    await page.getByRole('region', { name: 'Event log' }).hover();
    await page.mouse.wheel(0, -1_200);
    const first = rows('many-300').first();
    await first.waitFor();
    const place = async (): Promise<number> => Math.round((await first.boundingBox())?.y ?? Number.NaN);
    const before = await place();
    release();
    const size = (): Promise<number> =>
      page
        .locator('.event-rows > li')
        .first()
        .evaluate((row) => Number(row.getAttribute('aria-setsize')));
    await expect.poll(size).toBeGreaterThan(340);
    expect(await place()).toBe(before);
  });

  test('the list is filtered by kind, words and session, and the URL keeps the filters', async () => {
    const { daemon, page } = web;
    const session = await daemon.sh('echo x; cat', '--name', 'filtered');
    await daemon.client.call('session.rename', { session: session.id, name: 'found' });
    await signIn(page, daemon, `events?session=${session.id}`);
    await rows('filtered → found').waitFor();
    expect(await rows('daemon started').count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('renamed');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.event-row').count(), PATIENCE).toBe(1);
    await page.getByRole('tab', { name: 'Inbox' }).click();
    await page.getByText('No event fits').waitFor();
    await page.reload();
    await page.getByText('No event fits').waitFor();
  });

  test('a paused list does not change, and the export contains the shown events', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, 'events?kind=sessions');
    await rows('session started').first().waitFor();
    await page.keyboard.press(' ');
    await daemon.sh('cat', '--name', 'while-paused');
    await page.getByRole('button', { name: /Go on \(\d+ new\)/ }).waitFor();
    expect(await rows('while-paused: sh').count()).toBe(0);
    await page.keyboard.press(' ');
    await rows('while-paused: sh').waitFor();
    await page.getByRole('searchbox').fill('while-paused: sh');
    await expect.poll(() => page.locator('.event-row').count(), PATIENCE).toBe(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((one) => JSON.parse(one))).toMatchObject([
      { event_type: 'session_started', name: 'while-paused' },
    ]);
  });

  test("an event's page shows its bytes, screen and rule and links to the recording", async () => {
    const { daemon, page } = web;
    const session = await daemon.sh(asks('Why <script>globalThis.ran = 1</script>?'));
    await daemon.openItem(session);
    const { seq, origin } = await daemon.event('message', ({ session_id }) => session_id === session.id);
    await signIn(page, daemon, `events?session=${session.id}`);
    const message = page.locator('.event-type', { hasText: /^message$/ });
    await page.locator('.event-row', { has: message }).click();
    await page.waitForURL(`**/ui/events/${seq}`);
    await page.getByText('Reading the recording again gives the same').waitFor();
    await page.locator('.bytes.screen [data-marked="true"]').first().waitFor();
    expect(await page.getByRole('link', { name: 'Show in the recording' }).getAttribute('href')).toBe(
      `/ui/recordings/${session.id}?at=${origin.from}`,
    );
    await page.getByRole('button', { name: 'Show control characters' }).click();
    await page.getByText('orchestrator-message').first().waitFor();
    await expectAccessible(page);
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    await go(page, 'events/99999999');
    await page.getByText('It cannot be explained').waitFor();
    await expectAccessible(page);
  });
});
