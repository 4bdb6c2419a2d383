/**
 * Parse: what is said in a text, a terminal's output or a recording, without a daemon. `orchd parse` prints it.
 *
 * The same hearing as in a session, over a journal that is made up in memory; positions in it mean nothing and are not
 * shown.
 */
import type { Finding } from '../../ears/index.js';
import type { Ear, Message, RejectReason, SchemaError, Source } from '../../protocol/index.js';
import type { Hearing } from '../hearing/hearing.js';
import { createHearing } from '../hearing/session-hearing.js';
import { type CastReading, parseCast } from './cast.js';
import { CastPlayer } from './cast-player.js';
import { createRecorder, type Happening } from './made-journal.js';

export type ParsedEvent =
  | {
      readonly event_type: 'message';
      readonly message: Message;
      readonly exact?: false;
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
 * Hears a recording. Typed input begins turns (Enter), and its echo is ignored. Long enough pauses are the ticks that a
 * session would have asked for.
 */
export function hearCast(text: string, options: { readonly adapter?: string } = {}): CastParsing {
  const reading = parseCast(text);
  if (!reading.ok) return reading;
  const { cols, rows, events } = reading.cast;
  const hearing = createHearing(options);
  const player = createPlayer(hearing, { cols, rows });
  const recording = new CastPlayer({ hearing, play: player.play, startedAt: 0 });
  for (const event of events) recording.take(event);
  recording.end();
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
    const { message, source, ear, line, exact } = finding;
    return { event_type: 'message', message, ...(exact === false && { exact }), source, ear, line };
  }
  if (finding.kind !== 'rejected') return null;
  const { reason, errors, raw, truncated, source, ear, line } = finding;
  const cut = truncated ? ({ truncated } as const) : {};
  return { event_type: 'message_rejected', reason, errors, raw, ...cut, source, ear, line };
}
