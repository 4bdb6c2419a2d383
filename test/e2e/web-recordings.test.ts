/** Tests recordings in a browser: playing, seeking, marks, jumping to a message, and saving as a file. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import { BOTH_THEMES, chromiumPath, expectAccessible, signIn, useDashboard } from '../harness/browser.js';

const PATIENCE = { timeout: 20_000 };
const says = (type: string, data: object): string =>
  `cat <<'END'\n\`\`\`orchestrator-message\n${JSON.stringify({ type, data })}\n\`\`\`\nEND\n`;
/** A script that scrolls everything off the screen. */
const SCROLL = 'i=0; while [ $i -lt 60 ]; do echo; i=$((i+1)); done';
/** A script that prints, sends a message, asks, and prints again, each on a cleared screen. */
const SCRIPT = [
  'echo first screen',
  'read line',
  SCROLL,
  says('STATUS_UPDATE', { progress: 10, currentStep: 'Reading' }),
  'read line',
  SCROLL,
  says('QUESTION', { question: 'Which <b>way</b>?', options: ['left', 'right'] }),
  'read answer',
  `${SCROLL}; echo "went $answer"`,
].join('\n');

describe.skipIf(chromiumPath === null)('the recordings pages', () => {
  let session: Session;
  const web = useDashboard({}, async (daemon) => {
    session = await daemon.sh(SCRIPT, '--name', 'recorded');
    const press = () => daemon.client.call('session.keys', { session: session.id, keys: ['Enter'] });
    const said = (type: string) =>
      daemon.event('message', ({ session_id, message }) => session_id === session.id && message.type === type);
    await press();
    await said('STATUS_UPDATE');
    await press();
    const { id } = await daemon.openItem(session);
    await daemon.client.call('inbox.answer', { item: id, option: 2 });
    await daemon.client.call('session.wait', { session: session.id, until: 'exited' });
  });

  const screen = () => web.page.locator('.xterm-accessibility-tree').textContent();
  const screenHas = (text: string) => expect.poll(screen, PATIENCE).toContain(text);

  test('the list leads to a recording, and both themes are accessible', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, 'recordings');
    await page.getByRole('link', { name: 'recorded' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'recorded' }).click();
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await expectAccessible(page, BOTH_THEMES);
  });

  test('a recording plays to its end and seeks forward and back', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, `recordings/${session.id}`);
    const time = page.getByRole('slider', { name: 'Time' });
    await expect.poll(async () => Number(await time.getAttribute('max')), PATIENCE).toBeGreaterThan(1);
    await time.press('End');
    await screenHas('went right');
    await time.press('Home');
    await expect.poll(screen, PATIENCE).not.toContain('went right');
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('16');
    await page.getByRole('button', { name: 'Play' }).click();
    await screenHas('went right');
    await page.getByRole('button', { name: 'Play' }).waitFor(); // The Play button returns at the end.
  });

  test('marks of messages and answers lead to their moment, and their text is not run', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, `recordings/${session.id}`);
    const marks = page.locator('.moment');
    await marks.nth(2).waitFor();
    expect(await page.locator('.timeline-mark').count()).toBe(3);
    await marks.filter({ hasText: 'Reading' }).click();
    await screenHas('STATUS_UPDATE');
    await expect.poll(screen, PATIENCE).not.toContain('QUESTION');
    await page.keyboard.press('n');
    await screenHas('QUESTION');
    await expect.poll(screen, PATIENCE).not.toContain('went right');
    expect(await page.locator('.moment b').count()).toBe(0);
    await page.reload(); // The URL contains the moment.
    await screenHas('QUESTION');
  });

  test("a message on the session's page leads to its place in the recording", async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, `sessions/${session.id}`);
    const message = page.locator('.message', { hasText: '10% Reading' });
    await message.getByRole('link', { name: 'Show in the recording' }).click();
    await page.waitForURL(`**/ui/recordings/${session.id}?at=*`);
    await screenHas('STATUS_UPDATE');
    await expect.poll(screen, PATIENCE).not.toContain('QUESTION');
    await expect.poll(screen, PATIENCE).not.toContain('first screen');
  });

  test('the saved file is an asciicast with all output and its marks', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, `recordings/${session.id}`);
    await page.locator('.moment').nth(2).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as a file' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('recorded.cast');
    const [header, ...lines] = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one));
    expect(header).toMatchObject({ version: 2, width: 120, height: 40, title: 'recorded' });
    const text = lines.filter(([, kind]) => kind === 'o').map(([, , data]) => data);
    expect(text.join('')).toMatch(/first screen[\s\S]*Which[\s\S]*went right/);
    expect(lines.filter(([, kind]) => kind === 'm')).toHaveLength(3);
  });

  test('the page says so if a recording does not exist', async () => {
    const { daemon, page } = web;
    await signIn(page, daemon, 'recordings/ses_none');
    await page.getByText('This recording is not there').waitFor();
    await expectAccessible(page);
  });
});
