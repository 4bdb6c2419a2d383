/**
 * Terminal queries: what programs ask the terminal, and that orchd answers itself, whether or not somebody is attached, as tmux does.
 *
 * The emulator answers DA, DSR, CPR, DECRQM and DECRQSS; here are colours, sizes and the name. What is not answered on purpose:
 * the kitty keyboard query, because we do not speak that protocol to programs.
 */
import type { Terminal } from '@xterm/headless';
import { ESC, sequenceEnd } from './sequences.js';

/** A dark terminal; programs choose their theme by it. */
const FOREGROUND = 'rgb:d0d0/d0d0/d0d0';
const BACKGROUND = 'rgb:1010/1010/1010';
const CURSOR = FOREGROUND;
const COLOURS: Readonly<Record<number, string>> = {
  10: FOREGROUND,
  11: BACKGROUND,
  12: CURSOR,
};
const CELL_PIXELS = { width: 8, height: 16 } as const;

/** Answers from now on. */
export function answerQueries(terminal: Terminal, reply: (text: string) => void): void {
  terminal.onData(reply);
  for (const [code, colour] of Object.entries(COLOURS)) {
    terminal.parser.registerOscHandler(Number(code), (data) => {
      if (data !== '?') return false;
      reply(`\x1b]${code};${colour}\x1b\\`);
      return true;
    });
  }
  terminal.parser.registerCsiHandler({ final: 't' }, ([what]) => {
    const { cols, rows } = terminal;
    if (what === 14) reply(`\x1b[4;${rows * CELL_PIXELS.height};${cols * CELL_PIXELS.width}t`);
    else if (what === 16) reply(`\x1b[6;${CELL_PIXELS.height};${CELL_PIXELS.width}t`);
    else if (what === 18) reply(`\x1b[8;${rows};${cols}t`);
    else return false;
    return true;
  });
  terminal.parser.registerCsiHandler({ prefix: '>', final: 'q' }, () => {
    reply('\x1bP>|orchd\x1b\\');
    return true;
  });
}

/**
 * Takes queries, and clipboard access, out of a stream that goes to a person's terminal, so that only one side answers.
 * Keeps a sequence that is not complete yet for the next chunk, up to MAX_SEQUENCE_BYTES.
 */
export function createQueryFilter(): (chunk: Buffer) => Buffer {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    if (pending.length === 0 && chunk.indexOf(ESC) < 0) return chunk;
    const bytes = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
    const kept: Buffer[] = [];
    let from = 0;
    let at = bytes.indexOf(ESC);
    pending = Buffer.alloc(0);
    while (at >= 0) {
      const end = sequenceEnd(bytes, at);
      if (end < 0 && bytes.length - at <= MAX_SEQUENCE_BYTES) {
        pending = Buffer.from(bytes.subarray(at));
        break;
      }
      const next = end < 0 ? at + 1 : end;
      if (end > 0 && isQuery(bytes.toString('latin1', at, Math.min(end, at + MAX_QUERY_BYTES)))) {
        kept.push(bytes.subarray(from, at));
        from = next;
      }
      at = bytes.indexOf(ESC, next);
    }
    kept.push(bytes.subarray(from, bytes.length - pending.length));
    return Buffer.concat(kept);
  };
}

/** A clipboard write may be long; whatever is longer passes through in parts. */
const MAX_SEQUENCE_BYTES = 128 * 1024;
const MAX_QUERY_BYTES = 256;

const QUERIES: readonly RegExp[] = [
  /^\x1b\[[>=?]?\d*c$/, // DA1, DA2, DA3
  /^\x1b\[\??[56]n$/, // DSR, CPR
  /^\x1b\[\??\d+\$p$/, // DECRQM
  /^\x1b\[>\d*q$/, // XTVERSION
  /^\x1b\[\?u$/, // kitty keyboard
  /^\x1b\[\?996n$/, // colour scheme
  /^\x1b\[1[14689]t$/, // window and cell size
  /^\x1b\[2[01]t$/, // titles
  /^\x1b\]4;\d+;\?/, // palette
  /^\x1b\]1\d;\?/, // colours
  /^\x1b\]52;/, // clipboard
  /^\x1bP(\+q|\$q)/, // XTGETTCAP, DECRQSS
];

const isQuery = (sequence: string): boolean => QUERIES.some((query) => query.test(sequence));
