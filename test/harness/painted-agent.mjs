#!/usr/bin/env node
/**
 * An agent with a full-screen display, for tests: it looks like Claude Code, asks one question, and is done once that is answered.
 * What it was told goes to a file, as the model of a real agent would get it.
 *
 *     AGENT_LOG         one JSON string a line: everything that was submitted, '' for an Enter with nothing in the composer
 *     AGENT_SHORT       what it has to overcome, separated by commas:
 *       slow            draws its composer late; what is typed before that is lost
 *       deaf            loses the first Enter that comes after a paste
 *       dialog          asks for a permission before it answers
 *       late-dialog     asks for one when it has asked its question
 *       stubborn        does not take the first key in a dialog
 *       busy            goes on working for a while when it has asked
 *       hook            runs the hook of its --settings beside a dialog, as Claude Code does: the first of the two to decide counts
 *       blind           draws a dialog without choices that could be read
 *       other           its hook is about something else than its dialog
 *       two             asks a second question at once
 *       smiles          makes a smile of each `:)`, as an agent that completes words does
 *       stale           once it has asked, a letter that it never painted stands in its composer, until its size changes
 *
 *     AGENT_RECORDS     if set, it takes --session-id, and keeps a transcript below HOME as Claude Code does
 *
 * As real agents do, it ends at `exit`, runs what begins with `/`, completes a word with `@` at an Enter, and breaks the line there behind a
 * backslash. It trims what it is told.
 *
 * With `hook` the file holds `key: 1` for what is pressed in a dialog, and `hook: …` for what the hook has printed.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

if (process.argv.includes('--help')) {
  console.log(`--settings <file>${process.env.AGENT_RECORDS ? ' --session-id <id>' : ''}`);
  process.exit();
}
const SHORT = new Set((process.env.AGENT_SHORT ?? '').split(','));
const SLOW_MS = 700;
const WORK_MS = 60;
const RULE = '─'.repeat(60);
const QUESTION = {
  type: 'QUESTION',
  data: { question: 'Which authentication method should I use?', options: ['JWT', 'Session-based'] },
};
const SECOND = { type: 'QUESTION', data: { question: 'And which *database*?', options: ['exit', 'redis'] } };
const REPORT = { type: 'TASK_COMPLETE', data: { summary: 'Authentication is in place' } };

/** The conversation, a row each. */
const lines = [];
let state = 'starting';
let composer = '';
let asked = 0;
let stubborn = SHORT.has('stubborn');
let isStale = false;
let loses = SHORT.has('deaf') ? 1 : 0;

function paint() {
  const { rows } = process.stdout;
  const dialog = [
    RULE,
    ' Bash command',
    '   rm -r build',
    ' Do you want to proceed?',
    ...(SHORT.has('blind') ? [' y/n'] : [' ❯ 1. Yes', '   2. No']),
    ...(SHORT.has('hook') && !SHORT.has('blind') ? ['   3. Always'] : []),
    '',
    ' Esc to cancel',
  ];
  const foot =
    state === 'dialog'
      ? dialog
      : [
          RULE,
          ...`${isStale ? '}' : ''}${composer}`.split('\n').map((row, at) => `${at === 0 ? '❯ ' : '  '}${row}`),
          RULE,
          '  ? for shortcuts',
        ];
  const shown = lines.slice(-(rows - foot.length));
  while (shown.length < rows - foot.length) shown.push('');
  const title = state === 'busy' ? '◐ Claude Code' : '✳ Claude Code';
  const body = [...shown, ...foot].map((row, y) => `\x1b[${y + 1};1H${row}\x1b[K`).join('');
  process.stdout.write(`\x1b]0;${title}\x07\x1b[?2026h${body}\x1b[?2026l`);
}

function say(message) {
  record('assistant', `\`\`\`orchestrator-message\n${JSON.stringify(message)}\n\`\`\``);
  lines.push('● Here it is.', '', '  orchestrator-message');
  lines.push(
    ...JSON.stringify(message, null, 2)
      .split('\n')
      .map((row) => `  ${row}`),
    '',
  );
}

function submit() {
  if (loses > 0) {
    loses -= 1;
    return;
  }
  const words = SHORT.has('smiles') ? composer.trim().replaceAll(':)', '🙂') : composer.trim();
  if (words === 'exit') process.exit();
  if (composer.endsWith('\\')) {
    composer = `${composer.slice(0, -1)}\n`;
    return;
  }
  if (/(?:^|\s)@\S*$/.test(composer)) {
    composer += 'completed';
    return;
  }
  log(words);
  composer = words.startsWith('/') ? '' : words;
  if (composer === '') return;
  record('user', words);
  lines.push(...composer.split('\n').map((row, at) => `${at === 0 ? '❯' : ' '} ${row}`), '');
  composer = '';
  state = 'busy';
  setTimeout(SHORT.has('dialog') && asked === 0 ? ask : reply, WORK_MS);
}

function ask() {
  state = 'dialog';
  paint();
  if (SHORT.has('hook')) runHook();
}

function runHook() {
  const file = process.argv[process.argv.indexOf('--settings') + 1];
  const { PermissionRequest } = JSON.parse(readFileSync(file, 'utf8')).hooks;
  const child = spawn('sh', ['-c', PermissionRequest[0].hooks[0].command], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  child.on('close', () => {
    log(`hook: ${said.trim()}`);
    if (said !== '' && state === 'dialog') goOn();
  });
  const tool_input = { command: SHORT.has('other') ? 'rm -r /' : 'rm -r build' };
  child.stdin.end(JSON.stringify({ hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input }));
}

/** Appends an entry to the transcript. */
function record(type, text) {
  if (!process.env.AGENT_RECORDS) return;
  const id = process.argv[process.argv.indexOf('--session-id') + 1];
  const folder = join(process.env.HOME, '.claude/projects', process.cwd().replaceAll(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const entry = {
    type,
    message: { role: type, content: [{ type: 'text', text }] },
    timestamp: new Date().toISOString(),
  };
  appendFileSync(join(folder, `${id}.jsonl`), `${JSON.stringify(entry)}\n`);
}

const log = (text) => appendFileSync(process.env.AGENT_LOG, `${JSON.stringify(text)}\n`);

function goOn() {
  state = 'busy';
  paint();
  setTimeout(asked === 0 ? reply : rest, WORK_MS);
}

function reply() {
  asked += 1;
  isStale = asked === 1 && SHORT.has('stale');
  if (asked === 1) say(QUESTION);
  if (SHORT.has('two') && asked === 1) say(SECOND);
  if (asked > (SHORT.has('two') ? 2 : 1)) say(REPORT);
  if (asked === 1 && SHORT.has('busy')) setTimeout(rest, SLOW_MS);
  else state = asked === 1 && SHORT.has('late-dialog') ? 'dialog' : 'idle';
  paint();
}

function rest() {
  state = 'idle';
  paint();
}

/** What came and is not whole yet. */
let unread = '';
/** A paste, an escape sequence, or a character: on a busy machine a paste and the Enter behind it come together. */
const KEY = /^(?:\x1b\[200~([\s\S]*?)\x1b\[201~|\x1b\[(?!200~)[0-9;?]*[A-Za-z~]|[^\x1b])/u;

function take(data) {
  unread += data;
  for (let key = KEY.exec(unread); key; key = KEY.exec(unread)) {
    unread = unread.slice(key[0].length);
    if (state !== 'starting') press(key[0], key[1]);
  }
  if (state !== 'starting') paint();
}

function press(key, pasted) {
  if (state === 'dialog') {
    if (SHORT.has('hook')) log(`key: ${key}`);
    if (/^[13]$/.test(key) && !stubborn) goOn();
    stubborn = false;
  } else if (key === '\r') submit();
  else if (key === '\x15') composer = '';
  else if (pasted !== undefined) composer += pasted.replaceAll('\r', '\n');
  else if (!key.startsWith('\x1b')) composer += key;
}

process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8').on('data', take);
process.stdout.on('resize', () => {
  isStale = false;
  paint();
});
process.stdout.write('\x1b[?1049h\x1b[?2004h\x1b[2J');
setTimeout(
  () => {
    state = 'idle';
    paint();
  },
  SHORT.has('slow') ? SLOW_MS : 0,
);
