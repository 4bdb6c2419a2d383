/** Runs the loop of `orchd inbox -i` on the terminal, or on a pipe. */
import { createInterface } from 'node:readline';
import { displayLine, type Item } from '../../protocol/index.js';
import { editInEditor } from '../../tui/input/external-editor.js';
import { itemText } from '../printing/item-text.js';
import { columns } from '../printing/output.js';
import type { Context } from '../program/context.js';
import { FIRST_WORDS, runAnswerLoop } from './answer-loop.js';

export async function answerInteractively(context: Context, session: string | undefined): Promise<undefined> {
  const { stdin, stdout } = process;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
  const end = new AbortController();
  /** Lines that arrived before the program asked for them: a pipe delivers all of them at once. */
  const early: string[] = [];
  let onLine: ((line: string | null) => void) | null = null;
  let isOver = false;
  const give = (line: string | null): void => {
    const waiting = onLine;
    onLine = null;
    if (line === null) isOver = true;
    if (waiting) waiting(line);
    else if (line !== null) early.push(line);
  };
  const open = () => {
    const reader = createInterface({ input: stdin, ...(isTerminal && { output: stdout, terminal: true }) });
    reader.on('line', give);
    reader.on('close', () => reader === current && give(null));
    reader.on('SIGINT', () => reader.close()); // in raw mode, Ctrl-C sends no signal
    return reader;
  };
  let current: ReturnType<typeof createInterface> | null = null;
  current = open();
  context.signal.addEventListener('abort', () => give(null), { signal: end.signal });
  try {
    if (isTerminal) await context.write(context.paint('dim', FIRST_WORDS));
    await runAnswerLoop({
      client: context.client(),
      session,
      say: (text) => context.write(text),
      show: (item, heading) => showItem(context, item, heading),
      ask: (prompt) =>
        new Promise((resolve) => {
          const line = early.shift();
          if (line !== undefined || isOver) return resolve(line ?? null);
          onLine = resolve;
          current?.setPrompt(isTerminal ? prompt : '');
          current?.prompt();
        }),
      edit: async (text) => {
        const before = current;
        current = null; // the editor gets the terminal, and closing this reader does not end the loop
        before?.close();
        const edited = await editInEditor(context.env, text);
        current = open();
        if (edited.problem !== null) await context.write(`${displayLine(edited.problem)}\n`);
        edited.discard();
        return edited.problem === null ? edited.text : null;
      },
    });
  } finally {
    end.abort();
    const last = current;
    current = null;
    last?.close();
  }
  return undefined;
}

function showItem({ paint }: Context, item: Item, heading: string): string {
  const text = itemText(item, { paint, columns: columns(), now: Date.now(), isWhole: false, isAsked: true });
  return heading === '' ? text : `${paint('dim', heading)}\n${text}`;
}
