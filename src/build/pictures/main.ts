/**
 * Makes the pictures of the documentation from real runs: the README's picture (.github/tui.svg), the recordings that
 * the site plays (docs/recordings/*.cast), and the guide's pictures of the dashboard (docs/pictures/*.png). `npm run
 * picture` builds orchd and runs this.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawDashboard } from './dashboard.js';
import { inDemoHome, startDemo } from './demo-home.js';
import { drive } from './driven-terminal.js';
import { toSvg } from './svg.js';

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

/** Recording: a person answers the demo's agents in the TUI, opens a session, and leaves it. */
const recordTui = () =>
  inDemoHome(async (home) => {
    startDemo(home);
    const tui = drive(home, ['orchd'], 110, 30);
    await tui.shows(/registry refuses/);
    // The agents ask at the same time, so their order may differ.
    await tui.presses('', 1500);
    while (!tui.has(/› \? question +demo-auth/)) await tui.presses('j', 500);
    await tui.presses('\r', 1000);
    await tui.shows(/OAuth2/);
    await tui.presses('2', 3000);
    await tui.shows(/✓ acknowledged/);
    await tui.presses('\r', 3000);
    await tui.shows(/a type an answer/);
    await tui.presses('a', 2500);
    await tui.types('Yes, go on');
    await tui.presses('\r', 600);
    await tui.shows(/✓ acknowledged/);
    await tui.presses('\r', 3000);
    await tui.shows(/a type an answer/);
    await tui.presses('g', 2000);
    await tui.presses('\r', 2000);
    await tui.shows(/Ctrl-\]/);
    await tui.presses('\x1d', 3500);
    await tui.presses('d', 400);
    await tui.presses('q', 2500);
    await tui.presses('', 500);
    writeFileSync(join(RECORDINGS, 'tui.cast'), tui.end('Answering agents in the TUI'));
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

mkdirSync(RECORDINGS, { recursive: true });
await drawPicture();
await recordTui();
await recordShell();
await drawDashboard(join(ROOT, 'docs/pictures'));
