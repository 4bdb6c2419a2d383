/**
 * Parse: what is said in a text, a terminal's output or a recording, without a daemon. `orchd parse` prints it.
 *
 * The same hearing as in a session, over a journal that is made up in memory; positions in it mean nothing and are not shown.
 */
import type { Finding } from '../ears/index.js';
import type { Ear, Message, RejectReason, SchemaError, Source } from '../protocol/index.js';
import { type CastReading, parseCast, parseSize } from './cast.js';
import type { Hearing } from './hearing.js';
import { createRecorder, type Happening } from './made-journal.js';
import { createHearing } from './session-hearing.js';

export type ParsedEvent =
  | {
      readonly event_type: 'message';
      readonly message: Message;
      readonly source: Source;
      readonly ear: Ear;
      readonly line: number;
    }
  | {
      readonly event_type: 'message_rejected';
      readonly reason: RejectReason;
      readonly errors: readonly SchemaError[];
      readonly raw: string;
      readonly truncated?: true;
      readonly source: Source;
      readonly ear: Ear;
      readonly line: number;
    };

export type CastParsing =
  | { readonly ok: true; readonly events: readonly ParsedEvent[] }
  | Extract<CastReading, { ok: false }>;

const EXIT: Happening = { kind: 'exit', exitCode: 0, signal: null, leftOpen: false, escaped: [] };

/** A text as a program would print it, with no terminal's width. */
export function hearText(text: string): ParsedEvent[] {
  return hearTerminal(Buffer.from(text, 'utf8'), { cols: 0, rows: 0 });
}

/** A program's output. `cols` of 0: as wide as its rows. */
export function hearTerminal(
  bytes: Uint8Array,
  size: { readonly cols: number; readonly rows: number },
  options: { readonly adapter?: string } = {},
): ParsedEvent[] {
  const player = createPlayer(createHearing(options), size);
  player.play({ kind: 'out', bytes });
  player.play(EXIT);
  return player.events;
}

/**
 * A recording. What was typed begins turns (Enter), and excuses its echo; long enough pauses are the ticks that a session would have
 * asked for.
 */
export function hearCast(text: string, options: { readonly adapter?: string } = {}): CastParsing {
  const reading = parseCast(text);
  if (!reading.ok) return reading;
  const { cols, rows, events } = reading.cast;
  const hearing = createHearing(options);
  const player = createPlayer(hearing, { cols, rows });
  /** What a session would have asked for while nothing came. */
  const playQuiet = (forMs: number): void => {
    let last = 0;
    for (
      let tick = hearing.wantsTick();
      tick && tick.quietMs <= forMs && tick.quietMs > last;
      tick = hearing.wantsTick()
    ) {
      last = tick.quietMs;
      player.play({ kind: 'tick', quietMs: last });
    }
  };
  let typing: Typing = { isPasting: false };
  let before = 0;
  for (const { timeMs, kind, data } of events) {
    if (kind !== 'm') playQuiet(timeMs - before);
    if (kind !== 'm') before = timeMs;
    if (kind === 'o') player.play({ kind: 'out', bytes: Buffer.from(data, 'utf8') });
    else if (kind === 'i') {
      const typed = readTyping(data, typing);
      typing = typed;
      const input = { kind: 'input', writeId: null, text: data, length: Buffer.byteLength(data) } as const;
      player.play({ ...input, phase: 'begin', submits: typed.submits });
    } else if (kind === 'r') {
      const size = parseSize(data);
      if (size) player.play({ kind: 'resize', ...size });
    }
  }
  playQuiet(Number.MAX_SAFE_INTEGER);
  player.play(EXIT);
  return { ok: true, events: player.events };
}

interface Player {
  play(happening: Happening): void;
  readonly events: ParsedEvent[];
}

/** Makes records of happenings and gathers what is heard. */
function createPlayer(hearing: Hearing, size: { cols: number; rows: number }): Player {
  const record = createRecorder();
  const events: ParsedEvent[] = [];
  const play = (happening: Happening): void => {
    for (const finding of hearing.push(record(happening))) {
      const event = toEvent(finding);
      if (event) events.push(event);
    }
  };
  play({ kind: 'start', sessionId: '', command: [], cwd: '', pid: 0, ...size });
  return { play, events };
}

function toEvent(finding: Finding): ParsedEvent | null {
  if (finding.kind === 'message') {
    const { message, source, ear, line } = finding;
    return { event_type: 'message', message, source, ear, line };
  }
  if (finding.kind !== 'rejected') return null;
  const { reason, errors, raw, truncated, source, ear, line } = finding;
  const cut = truncated ? ({ truncated } as const) : {};
  return { event_type: 'message_rejected', reason, errors, raw, ...cut, source, ear, line };
}

interface Typing {
  readonly isPasting: boolean;
}

/** Whether typed text holds an Enter; in a bracketed paste a line break is none. */
function readTyping(data: string, { isPasting }: Typing): Typing & { submits: boolean } {
  let pasting = isPasting;
  let submits = false;
  for (const [part] of data.matchAll(/\x1b\[20[01]~|[\r\n]/g)) {
    if (part === '\x1b[200~') pasting = true;
    else if (part === '\x1b[201~') pasting = false;
    else if (!pasting) submits = true;
  }
  return { isPasting: pasting, submits };
}
