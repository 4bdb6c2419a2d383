/**
 * Imports: a recording becomes an ended session with a journal, events and items, as if it had run here at its own
 * time.
 *
 * The daemon writes this journal itself with the host's writer: there is no pty, and no other component knows the
 * session before it is complete. The recording is read twice: once to check every line, then to find messages. The
 * journal grows under another name and is renamed when it is complete; then everything is committed at once. An import
 * is therefore never partial, even after a crash.
 * Items that are open at the end of a recording are withdrawn by its end, and their deadlines answer nothing.
 */

import { constants, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Finding } from '../../ears/index.js';
import { type JournalEntry, type JournalRecord, JournalWriter, OUT_HEADER_BYTES } from '../../host/index.js';
import { timestamp } from '../../lifecycle/index.js';
import { errorMessage, type InputOf, newSession, OrchdError, type Paths, type Session } from '../../protocol/index.js';
import type { CastHeader, Happening } from '../../session/index.js';
import { needRoom, type Outbox } from '../events/index.js';
import { pickAdapter } from '../program/index.js';
import { type EntryPorts, newRecord, type Registry, SessionEntry, type SessionNote } from '../registry/index.js';

interface ImportsPorts {
  readonly paths: Paths;
  readonly registry: Registry;
  readonly outbox: Outbox;
  readonly entryPorts: EntryPorts;
  readonly now: () => number;
  readonly scrollbackLines: number;
}

/** Maximum number of findings: all are committed in one transaction. */
const MAX_FINDINGS = 20_000;
/** Bytes read before other work gets a turn; painted output of this size takes 40 ms. */
const IMPORT_TURN_BYTES = 64 * 1024;
const UNFINISHED = '.importing';

/** Removes unfinished imports of a daemon that was killed. */
export function clearImports({ journalsDir }: Pick<Paths, 'journalsDir'>): void {
  for (const name of readdirSync(journalsDir)) {
    if (name.endsWith(UNFINISHED)) rmSync(join(journalsDir, name), { recursive: true, force: true });
  }
}

/** Imports recordings as ended sessions. */
export class Imports {
  readonly #ports: ImportsPorts;

  constructor(ports: ImportsPorts) {
    this.#ports = ports;
  }

  /**
   * @throws {OrchdError} ORCHD_RECORDING with the line in `details.line` and the problem in `details.problem`;
   *   ORCHD_FILE if the file cannot be read; ORCHD_STORE_FULL, ORCHD_NAME_TAKEN, ORCHD_ADAPTER_UNKNOWN. Nothing is
   *   imported then.
   */
  async import(input: InputOf<'session.import'>, signal: AbortSignal): Promise<Session> {
    const { registry, outbox, paths, entryPorts, scrollbackLines } = this.#ports;
    needRoom(outbox, 'nothing can be imported');
    const { header, durationMs } = await inspect(input.file, signal);
    const command = header.command === null ? [] : words(header.command);
    const adapter = await pickAdapter(input.adapter, command[0] ?? '');
    const name = registry.freeName(input.name, basename(input.file).replace(/\.(cast|json)(\.gz)?$/, ''), true);
    const release = registry.reserve(name);
    const id = this.#ports.registry.newId();
    const dir = join(paths.journalsDir, id);
    const startedAt = header.startedAt ?? Math.max(0, Math.floor(statSync(input.file).mtimeMs) - durationMs);
    const note: SessionNote = {
      name,
      adapter: adapter.name,
      parent: null,
      tokenHash: '',
      scrollbackLines,
      command,
      agent: null,
      keyRequired: input.key !== undefined,
      imported: true,
    };
    try {
      const { findings, position, size } = await write(
        `${dir}${UNFINISHED}`,
        { id, input, header, note, startedAt },
        signal,
      );
      renameSync(`${dir}${UNFINISHED}`, dir);
      const session: Session = {
        ...newSession({
          id,
          name,
          adapter: adapter.name,
          command: [...command],
          cwd: '/',
          pid: 0,
          size,
          key_required: note.keyRequired,
          created_at: timestamp(startedAt),
        }),
        imported: true,
        imported_at: timestamp(this.#ports.now()),
      };
      const entry = new SessionEntry(newRecord(session, '', scrollbackLines), entryPorts);
      const event = {
        event_type: 'session_started',
        timestamp: session.created_at,
        session_id: id,
        name,
        adapter: adapter.name,
        command: [...command],
        cwd: '/',
        pid: 0,
        size: { cols: header.cols, rows: header.rows },
        key_required: note.keyRequired,
        parent_session_id: null,
        imported: true,
      };
      const cursor = { sessionId: id, position, checkpoint: null };
      await entry.announceWhole(event, findings, cursor, () => registry.add(entry));
      return entry.view;
    } finally {
      release();
      rmSync(`${dir}${UNFINISHED}`, { recursive: true, force: true });
    }
  }
}

interface About {
  readonly id: string;
  readonly input: InputOf<'session.import'>;
  readonly header: CastHeader;
  readonly note: SessionNote;
  readonly startedAt: number;
}

/** Reads the whole file without keeping it. */
async function inspect(file: string, signal: AbortSignal): Promise<{ header: CastHeader; durationMs: number }> {
  let durationMs = 0;
  const header = await read(file, signal, ({ timeMs }) => {
    durationMs = timeMs;
  });
  return { header, durationMs };
}

/** Writes the journal and collects its findings. */
async function write(directory: string, { id, input, header, note, startedAt }: About, signal: AbortSignal) {
  const { CastPlayer, createHearing } = await import('../../session/index.js');
  const hearing = createHearing();
  const findings: Finding[] = [];
  let time = startedAt;
  let size = { cols: header.cols, rows: header.rows };
  const writer = openWriter(directory, () => time);
  const play = ({ time: at = time, ...happening }: Happening): void => {
    time = at;
    const entry = happening as JournalEntry; // without its time it is a journal entry
    const place = writer.append(entry);
    if (entry.kind === 'resize') size = { cols: entry.cols, rows: entry.rows };
    const bytes = entry.kind === 'out' ? { bytesPosition: place.position + OUT_HEADER_BYTES } : {};
    // The record as the journal reader would return it.
    for (const finding of hearing.push({ ...entry, ...place, time, ...bytes } as JournalRecord)) findings.push(finding);
    if (findings.length <= MAX_FINDINGS) return;
    throw new OrchdError('ORCHD_RECORDING', `more than ${MAX_FINDINGS} things are said in it`, { line: null });
  };
  try {
    play({ kind: 'start', sessionId: id, command: note.command ?? [], cwd: '/', pid: 0, ...size });
    play({ kind: 'note', name: 'session', data: note });
    if (input.key !== undefined) play({ kind: 'note', name: 'key', data: { key: input.key } });
    const player = new CastPlayer({ hearing, play, startedAt });
    let rested = 0;
    await read(input.file, signal, (event) => {
      player.take(event);
      if (writer.isStuck) throw new OrchdError('ORCHD_STORE_FULL', 'the disk is full: nothing was imported');
      if (writer.position - rested < IMPORT_TURN_BYTES) return;
      rested = writer.position;
      return new Promise((resolve) => void setImmediate(resolve));
    });
    player.end();
    if (writer.isStuck) throw new OrchdError('ORCHD_STORE_FULL', 'the disk is full: nothing was imported');
    writer.close();
    return { findings, position: writer.position, size };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

function openWriter(directory: string, now: () => number): JournalWriter {
  try {
    return new JournalWriter({ directory, now });
  } catch (cause) {
    throw new OrchdError('ORCHD_JOURNAL', `the journal cannot be made: ${String(cause)}`, { directory }, cause);
  }
}

type Take = Parameters<typeof import('../../session/index.js')['readCast']>[1];

/** @throws {OrchdError} ORCHD_RECORDING, ORCHD_FILE */
async function read(file: string, signal: AbortSignal, take: Take): Promise<CastHeader> {
  const { readCast } = await import('../../session/index.js');
  const outcome = await (async () => {
    const handle = await openFile(file);
    try {
      return await readCast(handle.createReadStream({ signal, autoClose: false }), take);
    } finally {
      await handle.close();
    }
  })().catch((error: unknown) => {
    if (error instanceof OrchdError) throw error;
    const reason = errorMessage(error);
    throw new OrchdError('ORCHD_FILE', `${file} cannot be read: ${reason}`);
  });
  if (outcome.ok) return outcome.header;
  const { line, message } = outcome;
  throw new OrchdError('ORCHD_RECORDING', `${basename(file)}: line ${line}: ${message}`, { line, problem: message });
}

/**
 * Opens a regular file. Opening a pipe for reading would wait for its writer, in one of the few threads that read all
 * files: O_NONBLOCK opens it at once, and then it is refused.
 *
 * @throws {OrchdError} ORCHD_FILE
 */
async function openFile(file: string): Promise<FileHandle> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new OrchdError('ORCHD_FILE', `${file} is not a regular file`);
}

/** Splits a command line into words with shell quoting, but without any other shell syntax. */
function words(command: string): string[] {
  const found = [...command.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)].map(([word]) => word);
  return found.map((word) =>
    word.replaceAll(
      /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
      (_all, single?: string, double?: string, one?: string) =>
        single ?? double?.replaceAll(/\\(.)/g, '$1') ?? one ?? '',
    ),
  );
}
