/** Loads a session's journal or a cast file as a recording for the player. */
import { createReadStream, statSync } from 'node:fs';
import { errorMessage, OrchdError, type Session, type Size } from '../../protocol/index.js';
import { parseSize, Recording, readCast } from '../../session/index.js';
import type { Context } from '../program/context.js';
import { journalPages, toRecord } from './journal-pages.js';

const RESET = Buffer.from('\x1bc');

interface Loaded {
  readonly recording: Recording;
  readonly title: string;
  /** Start of the recording in milliseconds since the epoch; null if unknown. */
  readonly startedAt: number | null;
}

interface LoadOptions {
  readonly maxIdleMs?: number;
}

/** True for a path, or a name that ends like a recording. Other names are first looked up as sessions. */
const isFile = (source: string): boolean =>
  source === '-' || source.includes('/') || /\.(cast|json)(\.gz)?$/.test(source);

/** @throws {OrchdError} ORCHD_FILE if a file cannot be read, ORCHD_RECORDING if it is damaged; the daemon's refusal. */
export async function loadRecording(context: Context, source: string, options: LoadOptions): Promise<Loaded> {
  if (isFile(source)) return fromFile(source, options);
  const session = await sessionNamed(context, source);
  return session === null ? fromFile(source, options) : fromSession(context, session, options);
}

/**
 * Looks up a session. Returns null if there is none, or if no daemon answers and a file of that name exists.
 * @throws {OrchdError} The daemon's error if there is no such file.
 */
async function sessionNamed(context: Context, name: string): Promise<Session | null> {
  try {
    return await context.client().call('session.show', { session: name });
  } catch (error) {
    const { code } = error instanceof OrchdError ? error : {};
    const isPlayed = code === 'ORCHD_SESSION_UNKNOWN' || code === 'ORCHD_DAEMON_UNREACHABLE';
    if (isPlayed && statSync(name, { throwIfNoEntry: false })?.isFile()) return null;
    throw error;
  }
}

async function fromFile(path: string, options: LoadOptions): Promise<Loaded> {
  let recording: Recording | null = null;
  const outcome = await readCast(bytesOf(path), ({ timeMs, kind, data }, header) => {
    recording ??= new Recording(header, options);
    if (kind === 'o') recording.add({ timeMs, kind: 'out', bytes: Buffer.from(data, 'utf8') });
    const size = kind === 'r' ? parseSize(data) : null;
    if (size) recording.add({ timeMs, kind: 'resize', ...size });
  });
  if (!outcome.ok) throw new OrchdError('ORCHD_RECORDING', `${named(path)}: line ${outcome.line}: ${outcome.message}`);
  const { header } = outcome;
  const title = header.title ?? named(path);
  return { recording: recording ?? new Recording(header, options), title, startedAt: header.startedAt };
}

const named = (path: string): string => (path === '-' ? 'standard input' : path);

async function fromSession(context: Context, session: Session, options: LoadOptions): Promise<Loaded> {
  const client = context.client();
  let recording: Recording | null = null;
  let startedAt: number | null = null;
  for await (const { records, damaged } of journalPages(client, session.id)) {
    for (const { from, to, detail } of damaged) context.note(`bytes ${from} to ${to} are missing: ${detail}`);
    for (const record of records.map(toRecord)) {
      startedAt ??= record.time;
      // If the beginning was pruned, only the newest size is known.
      recording ??= new Recording(record.kind === 'start' ? record : session.size, options);
      const timeMs = record.time - startedAt;
      if (record.kind === 'snapshot') {
        const { cols, rows, snapshot } = record.screen;
        recording.add({ timeMs, kind: 'resize', cols, rows });
        recording.add({ timeMs, kind: 'out', bytes: Buffer.concat([RESET, Buffer.from(snapshot)]) });
      }
      if (record.kind === 'start' && record.position > 0) {
        recording.add({ timeMs, kind: 'out', bytes: RESET }); // A new program starts in a new terminal.
        recording.add({ timeMs, kind: 'resize', cols: record.cols, rows: record.rows });
      }
      if (record.kind === 'out') recording.add({ timeMs, kind: 'out', bytes: record.bytes });
      else if (record.kind === 'resize')
        recording.add({ timeMs, kind: 'resize', cols: record.cols, rows: record.rows });
      // an empty record marks the last moment
      else if (record.kind === 'exit') recording.add({ timeMs, kind: 'out', bytes: new Uint8Array(0) });
    }
  }
  return {
    recording: recording ?? new Recording(session.size satisfies Size, options),
    title: session.name,
    startedAt,
  };
}

/** @throws {OrchdError} ORCHD_FILE */
async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const stream: AsyncIterable<Buffer> = path === '-' ? process.stdin : createReadStream(path);
  const chunks = stream[Symbol.asyncIterator]();
  const first = await chunks.next().catch((error: unknown) => {
    const reason = errorMessage(error);
    throw new OrchdError('ORCHD_FILE', `${named(path)} cannot be read: ${reason}`);
  });
  for (let next = first; !next.done; next = await chunks.next()) yield next.value;
}
