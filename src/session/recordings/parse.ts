/**
 * Parse: finds the messages in a text, in a terminal's output or in a recording, without a daemon. `orchd parse` prints
 * them. It uses the same hearing as a session, with journal records that exist only in memory; their positions have no
 * meaning and are not shown.
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

/** Finds messages in a text as if a program had printed it on a terminal of unlimited width. */
export function hearText(text: string): ParsedEvent[] {
  return hearTerminal(Buffer.from(text, 'utf8'), { cols: 0, rows: 0 });
}

/** Reads a program's output. `cols` of 0: rows are as wide as they are long. */
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
 * Reads a recording. Typed input begins turns (Enter), and its echo is ignored. Pauses that are long enough become the
 * ticks that a session would have had.
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

/** Converts events to records, and collects the findings. */
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
