/**
 * Makes the pictures of the documentation from real runs: the README's picture and recording (.github/*.svg), the
 * recordings that the site plays (docs/recordings/*.cast), and the guide's pictures of the dashboard
 * (docs/pictures/*.png). `npm run picture` builds orchd and runs this; `-- tui shell` makes only these.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawDashboard } from './dashboard.js';
import { inDemoHome, startDemo } from './demo-home.js';
import { drive } from './driven-terminal.js';
import { toMovingSvg, toSvg } from './svg.js';

const ROOT = join(import.meta.dirname, '../../..');
const RECORDINGS = join(ROOT, 'docs/recordings');

/** The TUI with the three agents of the demo. */
const drawPicture = () =>
  inDemoHome(async (home) => {
    startDemo(home);
    const tui = drive(home, ['orchd'], 150, 36);
    await tui.shows(/registry refuses/);
    await tui.presses('\r');
    await tui.shows(/3\s+OAuth2[\s\S]*orchestrator-message/);
    writeFileSync(join(ROOT, '.github/tui.svg'), toSvg(tui.terminal));
    tui.end('');
  });

/** Recording: a person starts the demo in the TUI, answers its agents, works in their terminals, and leaves. */
const recordTui = () =>
  inDemoHome(async (home) => {
    const [cols, rows] = [110, 30];
    const tui = drive(home, ['orchd'], cols, rows);
    await tui.shows(/e starts three/);
    await tui.presses('e', 2500);
    await tui.shows(/registry refuses/);
    await tui.shows(/OAuth2|Which authentication/);
    await tui.shows(/question +demo-docs/);
    // All screens side by side, and the second one alone.
    await tui.presses('l', 2500);
    await tui.presses('G', 1500);
    await tui.shows(/typing into demo/);
    for (const key of ['\x1d', '\t', '\x1d', 'z']) await tui.presses(key, 1200);
    await tui.shows(/Ctrl-\] \? helps/);
    for (const key of ['\x1d', 'z', '\x1d', 'd']) await tui.presses(key, 1200);
    await tui.shows(/Inbox/);
    await tui.presses('h', 1500);
    // The agents ask at the same time, so their order may differ.
    while (!tui.has(/› \? question +demo-auth/)) await tui.presses('j', 500);
    await tui.presses('\r', 1000);
    await tui.shows(/OAuth2/);
    await tui.presses('2', 3000);
    await tui.shows(/press 2 again|✓ acknowledged/);
    if (!tui.has(/✓ acknowledged/)) await tui.presses('2', 1200);
    await tui.shows(/✓ acknowledged/);
    await tui.presses('\r', 3000);
    await tui.shows(/a type an answer/);
    await tui.presses('a', 2500);
    await tui.types('Yes, go on');
    await tui.presses('\r', 600);
    await tui.shows(/✓ acknowledged/);
    // Attach to the session of the next question, answer there, and come back from the one after that.
    await tui.presses('\r', 2500);
    await tui.shows(/a type an answer/);
    await tui.presses('g', 2000);
    await tui.shows(/Enter attach/);
    await tui.presses('\r', 1500);
    await tui.shows(/Ctrl-\] \? helps/);
    await tui.presses('\x1d', 2500);
    await tui.presses('a', 1500);
    await tui.shows(/Enter/);
    await tui.types(tui.has(/Blocked from/) ? 'The credentials are new, go on.' : 'Yes, in one sentence.');
    await tui.presses('\r', 800);
    await tui.presses('\x1d', 4000);
    await tui.presses('d', 500);
    await tui.shows(/Inbox/);
    await tui.presses('q', 2000);
    await tui.presses('', 1500);
    const frames = tui.frames();
    const cast = tui.end('Answering agents in the TUI');
    writeFileSync(join(RECORDINGS, 'tui.cast'), cast);
    // The last frame shows the shell, so the picture begins again with the one before.
    const end = frames.at(-1)?.atMs ?? 0;
    writeFileSync(join(ROOT, '.github/recording.svg'), toMovingSvg(frames.slice(0, -1), cols, end));
  });

/** Recording: in a shell, a user starts a program that asks a question, and answers it. */
const recordShell = () =>
  inDemoHome(async (home) => {
    const prompt = 'PS1=\\[\\e[1;32m\\]$\\[\\e[0m\\] ';
    const shell = drive(home, ['env', prompt, 'bash', '--norc', '--noprofile'], 100, 26);
    await shell.shows(/^\$/m);
    for (const [line, shown] of [
      [
        `orchd run -d --name build -- sh -c 'echo ":ORCHESTRATOR: QUESTION - Deploy where?"; read -r at; ` +
          `echo "to $at"'`,
        /build/,
      ],
      ['orchd wait build --until waiting', /waiting/],
      ['orchd inbox', /Deploy where/],
      ['orchd answer "$(orchd inbox -q)" staging', /answered build/],
      ['orchd wait build', /completed|exited|ended/],
      ['orchd capture build', /to staging/],
    ] as const) {
      await shell.types(line);
      await shell.presses('\r', 300);
      await shell.shows(shown);
    }
    await shell.presses('', 2500);
    writeFileSync(join(RECORDINGS, 'shell.cast'), shell.end('A program asks, and is answered, in a shell'));
  });

const PARTS = {
  picture: drawPicture,
  tui: recordTui,
  shell: recordShell,
  dashboard: () => drawDashboard(join(ROOT, 'docs/pictures')),
};

mkdirSync(RECORDINGS, { recursive: true });
const wanted = process.argv.slice(2);
for (const [name, make] of Object.entries(PARTS)) if (wanted.length === 0 || wanted.includes(name)) await make();
