/**
 * A program named `claude` with a terminal, for tests of interactive runs. It looks like Claude Code, takes pasted and
 * entered text, and records its inputs and its words as Claude Code does. Its answers are data: reply N answers input
 * N, and the last reply all later inputs.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The behaviour of the agent for one input. */
export interface Turn {
  readonly text?: string;
  /** The exit code with which the agent ends; undefined if it continues. */
  readonly exit?: number;
  /** True if it works until `release` is called. */
  readonly hold?: boolean;
}

export interface TalkingAgent {
  readonly home: string;
  /** The environment for its runs: its folder is the first one in the PATH. */
  readonly env: Readonly<Record<string, string>>;
  replies(...replies: readonly Turn[]): void;
  /** Returns the inputs that it accepted, in order. */
  heard(): string[];
  /** Returns the arguments of its newest start. */
  args(): string[];
  release(): void;
  close(): void;
}

const PROGRAM = `#!${process.execPath}
const { appendFileSync, existsSync, mkdirSync, readFileSync, watch, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const home = process.env.TALKING_HOME;
const args = process.argv.slice(2);
if (args.includes('--help')) {
  console.log('--append-system-prompt --session-id --settings --model --mcp-config');
  process.exit();
}
writeFileSync(join(home, 'args.json'), JSON.stringify(args));
const id = args[args.indexOf('--session-id') + 1];
const dir = join(process.env.HOME, '.claude/projects', process.cwd().replace(/[^a-zA-Z0-9]/g, '-'));
mkdirSync(dir, { recursive: true });
const note = (record) =>
  appendFileSync(join(dir, id + '.jsonl'), JSON.stringify({ timestamp: new Date().toISOString(), ...record }) + '\\n');
const RULE = '─'.repeat(60);
const lines = [];
// Shown instead of the composer until Enter, or the digit of its first choice, is pressed. Other keys are lost.
let opening = process.env.TALKING_OPENING ?? '';
let composer = '';
let isBusy = false;

function paint() {
  const rows = process.stdout.rows;
  if (opening !== '') return void process.stdout.write('\\x1b[H\\x1b[2J' + opening.replaceAll('\\n', '\\r\\n'));
  const foot = [RULE, ...composer.split('\\n').map((row, at) => (at === 0 ? '❯ ' : '  ') + row), RULE, '  ? for shortcuts'];
  const shown = lines.slice(-(rows - foot.length));
  while (shown.length < rows - foot.length) shown.push('');
  const body = [...shown, ...foot].slice(-rows).map((row, y) => '\\x1b[' + (y + 1) + ';1H' + row + '\\x1b[K').join('');
  process.stdout.write('\\x1b]0;' + (isBusy ? '◐' : '✳') + ' Claude Code\\x07\\x1b[?2026h' + body + '\\x1b[?2026l');
}

function submit() {
  const text = composer;
  composer = '';
  if (text === '') return;
  appendFileSync(join(home, 'heard'), JSON.stringify(text) + '\\n');
  const count = readFileSync(join(home, 'heard'), 'utf8').trim().split('\\n').length;
  note({ type: 'user', message: { role: 'user', content: text } });
  lines.push(...text.split('\\n').map((row, at) => (at === 0 ? '❯ ' : '  ') + row), '');
  isBusy = true;
  const replies = JSON.parse(readFileSync(join(home, 'replies.json'), 'utf8'));
  const reply = replies[Math.min(count, replies.length) - 1] ?? {};
  const go = () => existsSync(join(home, 'go'));
  if (!reply.hold || go()) return void setTimeout(() => answer(reply), 30);
  const watcher = watch(home, () => go() && (watcher.close(), answer(reply)));
}

function answer(reply) {
  if (reply.text !== undefined) {
    lines.push(...reply.text.split('\\n').map((row, at) => (at === 0 ? '● ' : '  ') + row), '');
    note({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: reply.text }] } });
  }
  if (reply.exit !== undefined) process.exit(reply.exit);
  isBusy = false;
  paint();
  note({ type: 'system', subtype: 'turn_duration' });
}

process.stdin.setRawMode(true);
let unread = '';
// Matches a paste, an escape sequence, or a character. On a busy machine, a paste and the Enter after it arrive
// together.
const KEY = /^(?:\\x1b\\[200~([\\s\\S]*?)\\x1b\\[201~|\\x1b\\[(?!200~)[0-9;?]*[A-Za-z~]|[^\\x1b])/u;
process.stdin.setEncoding('utf8').on('data', (data) => {
  unread += data;
  for (let key = KEY.exec(unread); key; key = KEY.exec(unread)) {
    unread = unread.slice(key[0].length);
    if (opening !== '') {
      if (key[0] === '\\r' || key[0] === '1') opening = '';
      else appendFileSync(join(home, 'lost'), key[0]);
    } else if (key[0] === '\\r') submit();
    else if (key[1] !== undefined) composer += key[1].replaceAll('\\r', '\\n');
    else if (!key[0].startsWith('\\x1b')) composer += key[0];
  }
  paint();
});
process.stdout.write('\\x1b[?1049h\\x1b[?2004h\\x1b[2J');
paint();
`;

export function installTalkingAgent(): TalkingAgent {
  const home = mkdtempSync(join(tmpdir(), 'orchd-talking-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), PROGRAM, { mode: 0o755 });
  const heardFile = join(home, 'heard');
  const agent: TalkingAgent = {
    home,
    env: { HOME: home, TALKING_HOME: home, PATH: `${bin}:${process.env['PATH']}` },
    replies: (...replies) => writeFileSync(join(home, 'replies.json'), JSON.stringify(replies)),
    heard: () =>
      existsSync(heardFile)
        ? readFileSync(heardFile, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
    args: () => JSON.parse(readFileSync(join(home, 'args.json'), 'utf8')),
    release: () => writeFileSync(join(home, 'go'), ''),
    close: () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }),
  };
  agent.replies({ text: 'Done.' });
  return agent;
}
