/** Tests the sessions in a browser: lists, live terminals, control, and the actions on a session. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import {
  BOTH_THEMES,
  chromiumPath,
  expectAccessible,
  go,
  newPage,
  openBrowser,
  problems,
  signIn,
  useDashboard,
} from '../harness/browser.js';
import { startDaemon } from '../harness/daemon.js';
import { installFakeClaude } from '../harness/fake-claude.js';

const PATIENCE = { timeout: 20_000 };
const says = (type: string, data: object): string =>
  `cat <<'END'\n\`\`\`orchestrator-message\n${JSON.stringify({ type, data })}\n\`\`\`\nEND\n`;

describe.skipIf(chromiumPath === null)('the sessions pages', () => {
  const web = useDashboard();

  const screenText = (text: string) => web.page.locator('.xterm-accessibility', { hasText: text }).waitFor();
  const show = (id: string) => web.daemon.client.call('session.show', { session: id });

  test('new sessions appear as table rows, cards and terminals, and both themes are accessible', async () => {
    const { page } = web;
    const empty = await startDaemon({ flags: ['--port', '0'] });
    try {
      await signIn(page, empty, 'sessions');
      await page.getByText('Nothing runs').waitFor();
      const asks = says('QUESTION', { question: 'Which one?' });
      const step = says('STATUS_UPDATE', { progress: 40, currentStep: 'Writing the tests' });
      await empty.sh(`${step}printf '\\033[41mred\\033[0m\\n'; ${asks}cat`, '--name', 'asker');
      await empty.sh('cat', '--name', 'other');
      const row = page.locator('.session-row', { hasText: 'asker' });
      await row.getByText('Writing the tests').waitFor();
      await row.getByText('40 %').waitFor();
      await row.locator('.count').waitFor();
      await page.locator('.session-row').nth(1).waitFor();
      expect(await page.locator('.session-row .session-name').allInnerTexts()).toEqual(['asker', 'other']);
      await page.getByRole('button', { name: 'Cards' }).click();
      const red = `(() => {
        const canvas = document.querySelector('[aria-label="Screen of asker"]');
        if (!canvas?.width) return false;
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        for (let at = 0; at < data.length; at += 4) if (data[at] > 150 && data[at + 1] < 150 && data[at + 2] < 150) return true;
        return false;
      })()`;
      await expect.poll(() => page.evaluate(red), PATIENCE).toBe(true); // The canvas shows the red text.
      for (const view of ['Cards', 'Terminals', 'Table']) {
        await page.getByRole('button', { name: view }).click();
        if (view === 'Terminals') await page.locator('[data-stream="open"]').nth(1).waitFor();
        await expectAccessible(page, BOTH_THEMES);
      }
      await page.keyboard.press('/');
      await page.keyboard.type('oth');
      await page.keyboard.press('Enter');
      expect(await page.locator('.session-row .session-name').allInnerTexts()).toEqual(['other']);
      expect(new URL(page.url()).search).toContain('q=oth'); // A reload shows the same list.
    } finally {
      await empty.close();
    }
  });

  test("a terminal is read-only until the user takes control, and then has the window's size", async () => {
    const { daemon, page } = web;
    const session = await daemon.sh('echo ready; while read line; do echo "got <$line>"; stty size; done');
    await signIn(page, daemon, `sessions/${session.id}`);
    await screenText('ready');
    await expectAccessible(page);
    await page.locator('.live-terminal').click();
    await page.keyboard.type('not this');
    await page.keyboard.press('Escape'); // Escape leaves the page unless the terminal gets the keys.
    await page.waitForURL('**/ui/sessions');
    await go(page, `sessions/${session.id}`);
    await page.getByRole('button', { name: 'Take control' }).click();
    await page.locator('.live-terminal.in-control .xterm-helper-textarea:focus').waitFor();
    await screenText('ready');
    await page.keyboard.type('hello');
    await page.keyboard.press('Enter');
    await screenText('got <hello>');
    const { size } = await show(session.id);
    expect(size).not.toEqual(session.size);
    await screenText(`${size.rows} ${size.cols}`);
    await expectAccessible(page);
    await page.keyboard.press('Control+Shift+L');
    await page.getByRole('button', { name: 'Take control' }).waitFor();
    const { stdout } = await daemon.orchd('capture', session.id);
    expect(stdout).not.toContain('not this');
  });

  test('a terminal is drawn with WebGL if the browser has it, otherwise with elements', async () => {
    const { daemon, page } = web;
    const { id } = await daemon.sh('echo ready; cat');
    const browser = await openBrowser();
    try {
      const other = await newPage(await browser.newContext());
      for (const [one, canvases] of [
        [page, 0],
        [other, 2], // one for the text, one for the underlines of links
      ] as const) {
        await signIn(one, daemon, `sessions/${id}`);
        await one.locator('.xterm-accessibility', { hasText: 'ready' }).waitFor();
        expect(await one.locator('.xterm-screen canvas').count()).toBe(canvases);
        expect(await one.locator('.xterm-rows', { hasText: 'ready' }).count()).toBe(canvases === 0 ? 1 : 0);
      }
      expect(problems.get(other)).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test('the list and the page of a session show its cost, its branch and its diff', async () => {
    const { daemon, page } = web;
    const parent = mkdtempSync(join(tmpdir(), 'orchd-web-changes-'));
    const folder = join(parent, 'proj'); // the worktree is made beside it
    mkdirSync(folder);
    const claude = installFakeClaude();
    try {
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder });
      git('init', '--quiet');
      writeFileSync(join(folder, 'a'), 'old line\n');
      git('add', '.');
      git('commit', '--quiet', '-m', 'one');
      const run = ['run', '-d', ...claude.flags, '-C', folder, '--worktree', 'fix', '--json', '--', 'claude'];
      const { id, cwd } = await daemon.json<Session>(...run);
      writeFileSync(join(cwd, 'a'), '<b>new</b> line\n');
      await daemon.client.call('session.send', { session: id, text: 'one', wait_ms: 0 });
      await signIn(page, daemon, 'sessions');
      const row = page.locator('.session-row', { hasText: 'fix +1 −1' });
      await row.getByText('$0.50').waitFor();
      await page.getByRole('button', { name: 'Cards' }).click();
      await page.locator('.card', { hasText: 'fix +1 −1' }).getByText('$0.50').waitFor();
      await go(page, `sessions/${id}`);
      await page.getByText('$0.50').first().waitFor();
      await page.keyboard.press('D');
      await page.getByText(/^fix: 1 file, \+1 −1 since [0-9a-f]{7}$/).waitFor();
      expect((await page.locator('.patch-line.removed').allInnerTexts()).join('').trim()).toBe('-old line');
      expect((await page.locator('.patch-line.added').allInnerTexts()).join('').trim()).toBe('+<b>new</b> line');
      await expectAccessible(page);
      const other = await daemon.sh('cd /; cat', '-C', '/');
      await go(page, `sessions/${other.id}?tab=changes`);
      await page.getByText('No changes to show').waitFor();
    } finally {
      claude.close();
      rmSync(parent, { recursive: true, force: true });
    }
  });

  test('a browser with the role answer has no controls for the session', async () => {
    const { daemon, page } = web;
    const session = await daemon.sh('cat');
    await signIn(page, daemon, `sessions/${session.id}`, { role: 'answer' });
    await page.locator('[data-stream="open"]').waitFor();
    expect(await page.getByRole('button', { name: /control|End|Rename/ }).count()).toBe(0);
  });

  test('a session can be renamed, ended, restarted and removed, with confirmation where it matters', async () => {
    const { daemon, page } = web;
    const session = await daemon.sh('echo first; cat', '--name', 'victim');
    await signIn(page, daemon, `sessions/${session.id}`);
    await screenText('first');
    await page.keyboard.press('r');
    await page.getByRole('dialog').getByLabel('New name').fill('renamed');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'renamed' }).waitFor();
    await page.keyboard.press('X'); // A running session cannot be removed.
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await page.keyboard.press('K');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Keep it' }).click();
    expect((await show(session.id)).ended_at).toBeNull();
    await page.keyboard.press('K');
    await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
    await page.getByText('ended by you').waitFor();
    await screenText('first'); // The last screen of the session.
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByRole('button', { name: 'Take control' }).waitFor();
    expect((await show(session.id)).ended_at).toBeNull();
    await page.getByRole('button', { name: 'End' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.waitForURL('**/ui/sessions');
    const { code } = await daemon.orchd('show', session.id);
    expect(code).not.toBe(0);
    await page.getByText('renamed is in the trash').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Bring it back' }).waitFor();
    await page.keyboard.press('u');
    await page.getByText('renamed is in the trash').waitFor({ state: 'detached' });
    expect((await show(session.id)).name).toBe('renamed');
  });

  test('tags can be edited, and the list can be filtered by them', async () => {
    const { daemon, page } = web;
    const session = await daemon.sh('cat', '--name', 'to-tag');
    await daemon.client.call('session.tag', { session: session.id, add: ['old', 'kept'] });
    await signIn(page, daemon, `sessions/${session.id}`);
    await page.getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('dialog').getByLabel('Tags').fill('kept urgent');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await show(session.id)).tags).toEqual(['kept', 'urgent']);
    await go(page, 'sessions?q=urgent');
    const row = page.locator('.session-row', { hasText: 'to-tag' });
    await row.locator('.tag', { hasText: 'urgent' }).waitFor();
    await daemon.client.call('session.tag', { session: session.id, add: ['a1', 'a2', 'a3', 'a4'] });
    await row.locator('.tag', { hasText: '+3' }).waitFor();
    expect(await row.locator('.tag').count()).toBe(4);
  });

  test('several marked sessions are ended together, and a new one is started from the page', async () => {
    const { daemon, page } = web;
    const names = ['mark-one', 'mark-two'];
    const sessions = await Promise.all(names.map((name) => daemon.sh('cat', '--name', name)));
    await signIn(page, daemon, 'sessions?q=mark-');
    for (const name of names) await page.getByRole('checkbox', { name: `Mark ${name}` }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'End' }).click();
    await page.getByRole('alertdialog', { name: 'End 2 sessions?' }).getByRole('button', { name: 'End' }).click();
    await page.getByText('No session fits the filter').waitFor();
    for (const { id } of sessions) expect((await show(id)).ended_by).toBe('web');
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Command' }).fill('sh -c "echo started in the page; cat"');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL('**/ui/sessions/ses_*');
    await screenText('started in the page');
  });

  test("the session's page shows its messages and answers its questions", async () => {
    const { daemon, page } = web;
    const asked = { question: 'Tabs or spaces?', options: ['tabs', 'spaces'], context: 'The old code has **both**' };
    const script = `${says('QUESTION', asked)}read a; echo "told $a"; cat`;
    const session = await daemon.sh(script);
    await daemon.openItem(session);
    await signIn(page, daemon, `sessions/${session.id}`);
    const message = page.locator('.message', { hasText: 'Tabs or spaces?' });
    const { origin } = await daemon.event('message', ({ session_id }) => session_id === session.id);
    expect(await message.getByRole('link', { name: 'Show in the recording' }).getAttribute('href')).toBe(
      `/ui/recordings/${session.id}?at=${origin.from}`,
    );
    await page.getByRole('button', { name: 'spaces' }).waitFor();
    await page.keyboard.press('2');
    await screenText('told spaces');
    await page.locator('.message', { hasText: 'answered' }).waitFor();
    await message.getByText('More', { exact: true }).click();
    await message.locator('strong', { hasText: 'both' }).waitFor();
  });

  test('the terminal reconnects after a daemon restart without a reload', async () => {
    const { page } = web;
    const other = await startDaemon({ flags: ['--port', '0'] });
    try {
      const session = await other.sh('echo before; read line; echo "after $line"; cat');
      await signIn(page, other, `sessions/${session.id}`);
      await screenText('before');
      const { port } = new URL(page.url());
      await page.evaluate('globalThis.sameDocument = true');
      await other.orchd('stop', '--keep-sessions');
      await page.locator('[data-connection="away"]').waitFor();
      await other.orchd('start', '--port', port);
      await other.client.call('session.send', { session: session.id, text: 'the restart', wait_ms: 0 });
      await screenText('after the restart');
      expect(await page.evaluate('globalThis.sameDocument')).toBe(true);
    } finally {
      await other.close();
    }
  });

  test('hostile output affects nothing outside its terminal', async () => {
    const { daemon, page } = web;
    const nasty = '<script>globalThis.ran = 1</script><img src=x onerror="globalThis.ran=1">';
    const step = says('STATUS_UPDATE', { progress: 5, currentStep: `${nasty} \u202Egnp.exe` });
    const title = `printf '\\033]2;'; head -c 10000000 /dev/zero | tr '\\0' 'T'; printf '\\007'`;
    const link = `printf '\\033]8;;javascript:globalThis.ran=1\\007click me\\033]8;;\\007\\n'`;
    const clipboard = `printf '\\033]52;c;aGFja2Vk\\007'`;
    const session = await daemon.sh(
      `${step}echo '${nasty}'; ${link}; ${clipboard}; ${title}; printf '\\033]0;<b>x\\007'; echo at the end; cat`,
    );
    await signIn(page, daemon, `sessions/${session.id}`);
    await screenText('at the end');
    await page.getByText('click me').first().waitFor({ state: 'attached' });
    await go(page, 'sessions?view=cards');
    await page.getByText('<script>', { exact: false }).first().waitFor();
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    expect(await page.title()).toMatch(/Sessions · orchd$/);
    expect(await page.locator('script[src=""], .session-rows :is(script, img, style)').count()).toBe(0);
  });
});
