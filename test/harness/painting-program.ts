/**
 * A full-screen program without an adapter: it paints its questions after the first input, and writes every other one
 * to a file.
 *
 * In:   questions, and its output at the start.
 * Out:  a session that has been told to begin, and the inputs of the program.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Session } from '../../src/protocol/index.js';
import type { TestDaemon } from './daemon.js';

export interface Painting {
  readonly questions: readonly string[];
  /** Printed first, for example a switch to the alternate screen. */
  readonly before: string;
  /** Painted below the input line. The cursor stays in that line. */
  readonly below?: string;
  /** From the second input on, Enter has no effect until this file exists. */
  readonly untilFile?: string;
}

export interface PaintingSession extends Session {
  /** Returns the inputs after the first one, in order. */
  told(): string[];
}

export const block = (question: string): string => {
  const message = { type: 'QUESTION', data: { question, options: ['exit'] } };
  return `● Here it is.\n\n  orchestrator-message\n  ${JSON.stringify(message)}\n`;
};

const programOf = ({ questions, before, below = '', untilFile }: Painting): string => `
const { appendFileSync, existsSync } = require('node:fs');
let rows = null;
let typed = '';
process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8').on('data', (data) => {
  for (const key of data.match(/\\x1b\\[20[01]~|[^]/gu)) {
    if (key === '\\r') submit();
    else if (!key.startsWith('\\x1b')) typed += key;
  }
  paint();
});
function submit() {
  const until = ${JSON.stringify(untilFile ?? null)};
  if (rows && until !== null && !existsSync(until)) return;
  if (rows) appendFileSync(process.argv[2], JSON.stringify(typed) + '\\n');
  rows ??= ${JSON.stringify(questions.map(block).join('\n').split('\n'))};
  typed = '';
}
function paint() {
  const shown = [...(rows ?? []), '> ' + typed];
  const painted = [...shown, ${JSON.stringify(below)}].map((row, y) => '\\x1b[' + (y + 1) + 'H' + row + '\\x1b[K');
  process.stdout.write(painted.join('') + '\\x1b[' + shown.length + ';' + (shown.at(-1).length + 1) + 'H');
}
process.stdout.write('${before}\\x1b[?2004h\\x1b[2J');
paint();
`;

/** @param dir  The folder for the program and its file of inputs. */
export async function startPainting(daemon: TestDaemon, dir: string, painting: Painting): Promise<PaintingSession> {
  const name = randomUUID();
  const program = join(dir, `${name}.cjs`);
  const log = join(dir, `${name}.log`);
  writeFileSync(program, programOf(painting));
  writeFileSync(log, '');
  const command = [process.execPath, program, log];
  const session = await daemon.client.call('session.start', { command, cwd: dir });
  const told = (): string[] =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as string);
  const { client } = daemon;
  const { id } = session;
  await expect.poll(async () => (await client.call('session.capture', { session: id })).text).toContain('>');
  await client.call('session.send', { session: id, text: 'Please begin.' });
  return { ...session, told };
}
