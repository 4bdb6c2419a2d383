/**
 * Terminal queries of programs that orchd answers itself, as tmux does, with or without an attached client.
 *
 * The emulator answers DA, DSR, CPR, DECRQM and DECRQSS; this file answers colours, sizes and the name. One query has
 * no answer on purpose: the kitty keyboard query, because orchd does not speak that protocol to programs.
 */
import type { Terminal } from '@xterm/headless';
import { BEL, ESC } from './bytes.js';
import { sequenceEnd } from './sequences.js';

/** The colours of a dark terminal. Programs choose their theme by them. */
const FOREGROUND = 'rgb:d0d0/d0d0/d0d0';
const BACKGROUND = 'rgb:1010/1010/1010';
const CURSOR = FOREGROUND;
const COLOURS: Readonly<Record<number, string>> = {
  10: FOREGROUND,
  11: BACKGROUND,
  12: CURSOR,
};
const CELL_PIXELS = { width: 8, height: 16 } as const;

/** Calls `reply` with the replies to queries from now on. */
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

/** The colours of a person's terminal, in the terminals' format: `rgb:ffff/ffff/ffff`. */
export interface Colours {
  readonly foreground?: string;
  readonly background?: string;
}

/** Returns a reply with a person's colours instead of orchd's, if it contains colours. */
export function withColours(reply: string, { foreground, background }: Colours): string {
  const colour = { '10': foreground, '11': background, '12': foreground }[COLOUR_REPLY.exec(reply)?.[1] ?? ''];
  return colour === undefined ? reply : reply.replace(/rgb:[^\x1b\x07]*/, colour);
}

const COLOUR_REPLY = /^\x1b\](1[012]);rgb:/;

/**
 * Removes queries and clipboard access from a stream to a person's terminal, so that only one side answers.
 *
 * Keeps an incomplete sequence for the next chunk, up to MAX_SEQUENCE_BYTES. A longer sequence (an image) passes in
 * parts, unless it accesses the clipboard. C1 controls, which some terminals obey, become the equivalent escape
 * sequences.
 *
 * @param onClipboard Called with the text that a program writes to the clipboard, in base64.
 */
export function createOutputFilter(onClipboard: (data: string) => void = () => {}): (chunk: Buffer) => Buffer {
  let pending: Buffer = Buffer.alloc(0);
  /** True within a clipboard access that is too long to keep. It is dropped up to its end. */
  let isDropping = false;
  return (chunk) => {
    if (pending.length === 0 && !isDropping && chunk.indexOf(ESC) < 0 && chunk.indexOf(C1_LEAD) < 0) return chunk;
    let bytes = withoutC1(pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk);
    pending = Buffer.alloc(0);
    if (isDropping) {
      const end = bytes.findIndex((byte) => byte === ESC || byte === BEL);
      if (end < 0) return Buffer.alloc(0);
      isDropping = false;
      bytes = bytes.subarray(bytes[end] === BEL ? end + 1 : end);
    }
    const kept: Buffer[] = [];
    let from = 0;
    let at = bytes.indexOf(ESC);
    while (at >= 0) {
      const end = sequenceEnd(bytes, at);
      const length = (end < 0 ? bytes.length : end) - at;
      const start = bytes.toString('latin1', at, at + Math.min(length, MAX_QUERY_BYTES));
      const isClipboard = CLIPBOARD.test(start);
      if (end < 0 && length <= MAX_SEQUENCE_BYTES) {
        pending = Buffer.from(bytes.subarray(at));
        break;
      }
      if (end < 0 && isClipboard) {
        isDropping = true;
        kept.push(bytes.subarray(from, at));
        return Buffer.concat(kept);
      }
      const next = end < 0 ? at + 1 : end;
      if (end > 0 && (isClipboard || isQuery(start))) {
        kept.push(bytes.subarray(from, at));
        from = next;
        if (isClipboard) tellClipboard(bytes.toString('latin1', at, end), onClipboard);
      }
      at = bytes.indexOf(ESC, next);
    }
    // The last byte may be the first half of a C1 control.
    if (pending.length === 0 && bytes.length > from && bytes.at(-1) === C1_LEAD) pending = Buffer.from([C1_LEAD]);
    kept.push(bytes.subarray(from, bytes.length - pending.length));
    return Buffer.concat(kept);
  };
}

/** Maximum length of a sequence that is kept; a clipboard write may be long. */
const MAX_SEQUENCE_BYTES = 128 * 1024;
const MAX_QUERY_BYTES = 256;

const CLIPBOARD = /^\x1b\]52;/;
const WRITE = /^\x1b\]52;[^;]*;([A-Za-z0-9+/=]*)(?:\x07|\x1b\\)$/;

function tellClipboard(sequence: string, tell: (data: string) => void): void {
  const data = WRITE.exec(sequence)?.[1];
  if (data !== undefined && data !== '') tell(data);
}

/** The first byte of a C1 control in UTF-8. The second byte is 80 to 9f. */
const C1_LEAD = 0xc2;

function withoutC1(bytes: Buffer): Buffer {
  if (bytes.indexOf(C1_LEAD) < 0) return bytes;
  const text = bytes.toString('latin1');
  return Buffer.from(
    text.replaceAll(/\xc2([\x80-\x9f])/g, (_, code: string) => `\x1b${String.fromCharCode(code.charCodeAt(0) - 0x40)}`),
    'latin1',
  );
}

const QUERIES: readonly RegExp[] = [
  /^\x1b\[[>=?]?\d*c$/, // DA1, DA2, DA3
  /^\x1b\[\??[\d;]*n$/, // DSR, CPR, colour scheme
  /^\x1b\[\??\d+\$p$/, // DECRQM
  /^\x1b\[>\d*q$/, // XTVERSION
  /^\x1b\[\?u$/, // kitty keyboard
  /^\x1b\[\?\d*m$/, // XTQMODKEYS
  /^\x1b\[\?[\d;]+S$/, // graphics
  /^\x1b\[\d*x$/, // DECREQTPARM
  /^\x1b\[[\d;]*\*y$/, // DECRQCRA
  /^\x1b\[\d*\$w$/, // DECRQPSR
  /^\x1b\[1[1345689](;\d*)*t$/, // window and cell size
  /^\x1b\[2[01]t$/, // titles
  /^\x1b\](?:4|5|1\d|2[12]|50)(?:;[^;]*)*?[;=]\?/, // palette, colours, font
  /^\x1b\]1337;(?:ReportCellSize|ReportVariable|RequestUpload)/, // iTerm2
  /^\x1bP(\+q|\$q)/, // XTGETTCAP, DECRQSS
  /^\x1bPtmux;/, // what a tmux around us would take apart
  /^\x1b_G(?:[^;]*,)?a=q/, // kitty graphics
];

const isQuery = (sequence: string): boolean => QUERIES.some((query) => query.test(sequence));
