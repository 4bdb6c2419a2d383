/**
 * A full-screen program without an adapter, for tests of interactive runs: it paints what it was told, and then the
 * text in the file ANSWER, as an agent would.
 *
 *     node painted-program.mjs HABIT…
 *
 *     alternate    on the alternate screen; else on the normal one
 *     boxed        what it was told stands in a box; else behind `> `
 *     short        shows the first line of what it was told, and the number of its lines
 *     stays        says TASK_COMPLETE and goes on; else it ends
 *     loads        computes in another thread before it sets up its terminal
 *     asks         asks first if it may trust the folder, and takes only the digits of the list; it writes others to LOST
 *     leaves       gives the normal screen back when it ends
 */
import { pbkdf2 } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const habits = new Set(process.argv.slice(2));
const { stdin, stdout } = process;
/** As a program shows it that renders markdown. */
const complete = () =>
  `orchestrator-message\n${JSON.stringify({ type: 'TASK_COMPLETE', data: { summary: `answer ${turn}` } })}`;

let typed = '';
let told = '';
let turn = 0;
let said = null;

const chunks = (line, width) => line.match(new RegExp(`.{1,${width}}`, 'gu')) ?? [''];

function toldRows(width) {
  const lines = (told || typed).split('\n');
  const shown = habits.has('short') && lines.length > 1 ? [lines[0], `[${lines.length} lines]`] : lines;
  const rows = shown.flatMap((line) => chunks(line, width - 4));
  if (!habits.has('boxed')) return rows.map((row, at) => `${at === 0 ? '>' : ' '} ${row}`);
  const inner = rows.map((row) => `│ ${row.padEnd(width - 4)} │`);
  return [`╭${'─'.repeat(width - 2)}╮`, ...inner, `╰${'─'.repeat(width - 2)}╯`];
}

const QUESTION = ['Do you trust the files in this folder?', '', '❯ 1. Yes', '  2. No, exit'];
let isAsking = habits.has('asks');

function paint() {
  const { columns = 80, rows = 24 } = stdout;
  if (isAsking) {
    stdout.write(`\x1b[?25l\x1b[H\x1b[2J${QUESTION.map((row, y) => `\x1b[${y + 3};3H${row}`).join('')}`);
    return;
  }
  const answer = said === null ? [] : ['', ...said.split('\n').flatMap((line) => chunks(line, columns))];
  const shown = [...toldRows(columns), ...answer].slice(-rows);
  stdout.write(`\x1b[?25l\x1b[H\x1b[2J${shown.map((row, y) => `\x1b[${y + 1};1H${row}`).join('')}\x1b[?25h`);
}

function submit() {
  const answer = readFileSync('ANSWER', 'utf8').trimEnd();
  told = typed;
  typed = '';
  turn++;
  said = habits.has('stays') ? `${answer}\n\n${complete()}` : answer;
  paint();
  if (habits.has('stays')) return;
  if (habits.has('leaves')) stdout.write('\x1b[?1049l');
  stdout.write('', () => process.exit(0));
}

if (habits.has('loads')) await promisify(pbkdf2)('', '', 2_000_000, 64, 'sha512');
stdin.setRawMode(true);
let unread = '';
stdin.setEncoding('utf8').on('data', (chunk) => {
  unread += chunk;
  // The kernel may deliver a paste, and a bracket of it, in several reads.
  const isCut = /\x1b(?:\[\d*)?$/.test(unread) || unread.lastIndexOf('\x1b[200~') > unread.lastIndexOf('\x1b[201~');
  if (isCut) return;
  const input = unread;
  unread = '';
  for (const [key, pasted] of input.matchAll(/\x1b\[200~([\s\S]*?)\x1b\[201~|[\s\S]/gu)) {
    if (isAsking) {
      if (key === '2') process.exit(1);
      if (key === '1') isAsking = false;
      else appendFileSync('LOST', key);
    } else if (pasted !== undefined) typed += pasted.replaceAll('\r', '\n');
    else if (key === '\r' && typed !== '') submit();
    else if (key >= ' ') typed += key;
  }
  if (said === null || habits.has('stays')) paint();
});
stdout.write(`${habits.has('alternate') ? '\x1b[?1049h' : ''}\x1b[?2004h`);
paint();
