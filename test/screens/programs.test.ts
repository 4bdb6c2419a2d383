/**
 * Runs common full-screen programs in orchd and in tmux side by side and checks that both show the same after each key.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { type Both, type BothOptions, lookAtSession, openBoth, startSession, textOf } from './both.js';
import { compare } from './compare.js';
import { openRawPane } from './raw-pane.js';
import { tmuxVersion } from './tmux-pane.js';

const has = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};
const hasTmux = tmuxVersion() !== null;
const missing = ['tmux', 'vim', 'less', 'nano', 'htop', 'vttest', 'bash'].filter((program) => !has(program));
if (missing.length > 0) console.warn(`not compared, because it is not installed: ${missing.join(', ')}`);
const testWith = (program: string) => test.runIf(hasTmux && has(program));

/** Text with tabs, wide and combining characters, lines longer than the screen, and code to colour. */
const TEXT = [
  '// a file to be looked at',
  'const name = "value"; // 漢字 and emoji 🙂 and e\u0301',
  '\tindented\tby\ttabs',
  `long ${'0123456789 '.repeat(20)}end`,
  ...Array.from({ length: 60 }, (_, at) => `line ${at + 5}: if (x === ${at}) { return "${'ab'.repeat(at % 17)}"; }`),
  'the last line',
].join('\n');

let daemon: TestDaemon;
let folder: string;
const open: Both[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'screens-'));
  writeFileSync(join(folder, 'text.js'), `${TEXT}\n`);
  daemon = await startDaemon({ env: { HOME: folder, LESS: '', VIMINIT: '', LESSHISTFILE: '-' } });
});
afterEach(async () => {
  for (const both of open.splice(0)) await both.close();
});
afterAll(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

async function run(program: string, options: Partial<BothOptions> = {}): Promise<Both> {
  const both = await openBoth({ daemon, program: `cd ${folder} && ${program}`, cols: 80, rows: 24, ...options });
  open.push(both);
  return both;
}

const ESC = '\x1b';

testWith('vim')('vim: scroll, split, search, type and quit', async () => {
  const both = await run(
    `vim -u NONE -i NONE -n -N --cmd 'set t_RB= background=dark' -c 'syntax on | set number hlsearch showcmd ` +
      `laststatus=2 ruler' text.js; echo left; read -r go`,
  );
  await both.agree(/text\.js +1,1 +Top/);
  await both.types('G');
  await both.agree(/65,1 +Bot/);
  await both.types('\x02\x02');
  await both.agree(/line 2\d/);
  await both.types('/return\r');
  await both.agree(/\/return/);
  await both.types(':vsplit\r');
  await both.agree(/text\.js.*text\.js/);
  await both.types(`gg4Gwi漢字🙂 typed${ESC}`);
  await both.agree(/漢字🙂 typed0123/);
  await both.types(`2Gddp3GIwords ${ESC}`);
  await both.agree(/words const name/);
  await both.resizes(61, 17);
  await both.agree(/words const name/);
  await both.types(':only\r:set nowrap\r20\x05');
  await both.agree(/line 2\d/);
  await both.types(':q!\r');
  await both.agree(/left/);
});

testWith('less')('less: page, search, and restore the screen on exit', async () => {
  const both = await run(`printf 'before\\n'; less -R -M -N text.js; echo left; read -r go`);
  await both.agree(/text\.js lines 1-/);
  await both.types(' ');
  await both.agree(/text\.js lines \d\d-/);
  await both.types('G');
  await both.agree(/\(END\)/);
  await both.types('?return\r');
  await both.agree(/text\.js lines/);
  await both.types('g');
  await both.agree(/text\.js lines 1-/);
  await both.types('-S\rj');
  await both.agree(/text\.js lines 2-/);
  await both.resizes(100, 30);
  await both.agree(/text\.js lines 2-\d+\/65/);
  await both.types('q');
  const after = await both.agree(/left/);
  expect(textOf(after)).toContain('before');
});

testWith('nano')('nano: type, cut, search and quit', async () => {
  const both = await run(`nano -I -l text.js; echo left; read -r go`);
  await both.agree(/text\.js[\s\S]*Help/);
  await both.types('typed 漢字 here ');
  await both.agree(/typed 漢字 here \/\/ a file/);
  await both.types('\x0b');
  await both.agree(/1 +const name/);
  await both.types('\x17line 40\r');
  await both.agree(/line 40/);
  await both.resizes(60, 20);
  await both.agree(/line 40/);
  await both.types('\x18');
  await both.agree(/Save modified buffer/);
  await both.types('n');
  await both.agree(/left/);
});

testWith('bash')('bash: a resize joins and rewraps the rows of a long line', async () => {
  const both = await run(`PS1='$ ' exec bash --norc --noprofile`);
  await both.agree(/^\$$/m);
  await both.types(`echo ${'0123456789'.repeat(15)} 漢字漢字漢字; seq 30\r`);
  await both.agree(/^30\n\$/m);
  await both.types('echo typed');
  await both.agree(/\$ echo typed$/m);
  for (const [cols, rows] of [
    [50, 24],
    [33, 12],
    [120, 40],
    [80, 24],
  ] as const) {
    await both.resizes(cols, rows);
    await both.agree(/\$ echo typed$/m);
  }
});

testWith('vttest')(
  'vttest: insert and delete like a VT102',
  async () => {
    // Rows that scroll out of a region are only in tmux's scrollback.
    const both = await run('vttest', { except: ['title', 'scrollback'] });
    await both.agree(/Enter choice number/);
    await both.types('8\r');
    let shown = '';
    for (let page = 0; page < 14; page++) {
      shown = textOf(await both.agree(/Push <RETURN>/, shown));
      await both.types('\r');
    }
    await both.agree(/Enter choice number/);
  },
  60_000,
);

testWith('htop')('htop: its output leaves the same screen in orchd and tmux', async () => {
  const size = { cols: 80, rows: 24 };
  const pane = await openRawPane({ ...size, scrollbackLines: 1_000 });
  const { id } = await startSession(daemon, 'read -r go; exec htop -d 1000', size);
  const terminal = await daemon.client.terminal(id, { mode: 'stream' });
  const printed: Uint8Array[] = [];
  let wake = (): void => {};
  terminal.onBytes((bytes) => {
    printed.push(bytes);
    wake();
  });
  // Two instances of htop would show different numbers, so tmux gets the bytes of the instance in orchd.
  const agree = async (on: RegExp): Promise<void> => {
    for (;;) {
      const more = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const [orchd, tmux] = [await lookAtSession(daemon, id), await pane.show(Buffer.concat(printed))];
      const { title: _title, ...differences } = compare(orchd, tmux);
      if (on.test(textOf(orchd)) && Object.keys(differences).length === 0) return;
      await more;
    }
  };
  try {
    await terminal.sendBytes('\r');
    await agree(/PID +USER/);
    await terminal.sendBytes('h');
    await agree(/Released under the GNU/);
    await terminal.sendBytes(' ');
    await agree(/PID +USER/);
    await terminal.sendBytes('\x1bOQ');
    await agree(/Setup/);
  } finally {
    terminal.close();
    await daemon.client.call('session.kill', { session: id, grace_ms: 100 });
    await pane.close();
  }
});
