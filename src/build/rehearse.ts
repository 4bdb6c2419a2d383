/**
 * Rehearses a working day after a build, with a daemon and frequent commands. Each stores the code that V8 compiled for
 * it (store-code.cjs), so that later starts do not compile the same functions again.
 *
 * If a rehearsal fails, the build goes on: the machine may be unable to open terminals. The code is then that of
 * compile-bundles.cjs.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as nodePty from 'node-pty';
import { HEAP_FLAGS, LISTENING } from '../protocol/index.js';

const ROOT = join(import.meta.dirname, '../..');
const ORCHD = join(ROOT, 'bin/orchd.js');
const DAEMON = [join(ROOT, 'dist/daemon.js'), '--no-tcp'];
/** Each program loads this first. */
const STORING = ['--require', join(import.meta.dirname, 'store-code.cjs')];
/** Maximum time of one program, on a busy machine. The daemon runs until the end. */
const PATIENCE_MS = 120_000;

/** A program that asks, and prints what it is told. */
const ASKING = `
printf '%s\\n' '\`\`\`orchestrator-message' '{"type": "QUESTION", "data": {"question": "Which?"}}' '\`\`\`'
exec cat`;
const PING = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
/** Ctrl-] and d. */
const DETACH = '\x1dd';

const home = mkdtempSync(join(tmpdir(), 'orchd-'));
const others = Object.entries(process.env).filter(([name]) => !/^(ORCHD|NODE)_/.test(name));
const env: Record<string, string> = {
  ...(Object.fromEntries(others) as Record<string, string>),
  ORCHD_HOME: home,
};

/** Starts a program, and resolves with what it has printed when it ends, or when it has printed `until`. */
function run(
  words: readonly string[],
  { input = '', until }: { input?: string; until?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { env });
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    let printed = '';
    for (const output of [child.stdout, child.stderr])
      output.on('data', (text) => {
        printed += text;
        if (until !== undefined && printed.includes(until)) resolve(printed);
      });
    child.stdin.end(input);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(printed);
      else reject(new Error(`${words.join(' ')} ended with ${code}: ${printed}`));
    });
  });
}

const orchd = (words: readonly string[], input?: string): Promise<string> =>
  run([...STORING, ORCHD, ...words], { ...(input !== undefined && { input }) });

/** Attaches to a session until its terminal shows a text, and detaches. */
function attach(session: string, text: string): Promise<unknown> {
  const words = [...STORING, ORCHD, 'attach', session];
  const pty = nodePty.spawn(process.execPath, words, { env: { ...env, TERM: 'xterm-256color' } });
  const timer = setTimeout(() => pty.kill(), PATIENCE_MS);
  let shown = '';
  let hasDetached = false;
  pty.onData((more) => {
    shown += more;
    if (!hasDetached && shown.includes(text)) pty.write(DETACH);
    hasDetached ||= shown.includes(text);
  });
  return new Promise((resolve) => pty.onExit(resolve)).finally(() => clearTimeout(timer));
}

async function rehearse(): Promise<void> {
  await orchd(['run', '-d', '--name', 'asking', '--', 'sh', '-c', ASKING]);
  await orchd(['run', '-d', '--name', 'other', '--', 'cat']);
  await orchd(['wait', 'asking', '--until', 'waiting']);
  for (const words of [['ls'], ['ls', '--json'], ['status'], ['inbox'], ['events'], ['show', 'asking']])
    await orchd(words);
  await orchd(['capture', 'asking']);
  await attach('asking', 'Which?');
  await orchd(['answer', 'asking', 'this']);
  await orchd(['send', 'other', 'hello']);
  await orchd(['keys', 'other', 'Enter']);
  await orchd(['tool', 'report_status', '--session', 'other', '--input', 'progress=1']);
  await orchd(['mcp', '--session', 'other'], PING);
  await orchd(['kill', 'other']);
  await orchd(['version']);
}

try {
  await run([...HEAP_FLAGS, ...STORING, ...DAEMON], { until: LISTENING });
  await rehearse();
} catch (error) {
  console.error(`The rehearsal of orchd ended early, so more of it is compiled at each start. ${error}`);
} finally {
  await run([ORCHD, 'stop']).catch(() => {});
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
}
