/**
 * The session note at the beginning of a journal: everything needed to adopt the session after a restart of the daemon.
 */
import { readRecords, type SnapshotRecord, type StartRecord } from '../../host/index.js';
import type { RevivalHow } from '../../protocol/index.js';
import type { TranscriptOffset } from '../../session/index.js';

export interface SessionNote {
  readonly name: string;
  readonly adapter: string;
  readonly parent: string | null;
  readonly tokenHash: string;
  readonly scrollbackLines: number;
  readonly keyRequired: boolean;
  /**
   * The command as the person gave it. orchd may have added arguments to it. Journals of older versions do not have it.
   */
  readonly command?: readonly string[];
  /** Set for a session on pipes; undefined for one in a terminal. */
  readonly mode?: 'batch';
  /** Null or undefined for a program without a transcript. */
  readonly agent?: Agent | null;
  /** The run that the session works for. */
  readonly runId?: string;
  /**
   * True if the journal may be cut while the session runs (retention.session_bytes). Absent in journals of older
   * versions.
   */
  readonly bounded?: true;
  /** Set for an imported recording. */
  readonly imported?: true;
  /** The options of the start request. Journals of older versions do not have them. */
  readonly wish?: StartOptions;
  readonly tags?: readonly string[];
  /** Set for a start that is not the session's first. */
  readonly how?: RevivalHow;
}

export interface StartOptions {
  /** True if the person chose the adapter. */
  readonly isNamed: boolean;
  readonly teach: boolean | string;
  /** The offer of tools. `true`: the start fails if they cannot be offered. Undefined if no tools are offered. */
  readonly tools?: boolean | 'if it can';
  /** Names of the only tools to offer. */
  readonly toolNames?: readonly string[];
}

export interface Agent {
  /** The conversation's id, if it was known before the start. */
  readonly sessionId: string | null;
  /** Milliseconds since the epoch. Older transcript entries are ignored. */
  readonly startedAt: number;
  /** The environment variables that determine where the agent keeps its files. */
  readonly env: Readonly<Record<string, string>>;
  readonly dir: string;
  readonly places: readonly TranscriptOffset[];
  /** The arguments passed to the adapter if they differ from the person's: for a resumed conversation. */
  readonly argv?: readonly string[];
}

interface Beginning {
  readonly start: StartRecord;
  readonly note: SessionNote;
  /** The key that messages must contain, if one is required. */
  readonly key: string | undefined;
}

/**
 * Reads the records of a program's start. Null if they are not in the journal (yet).
 *
 * @param from Journal position of that start, or a position before it.
 */
export function readBeginning(journals: string, sessionId: string, from = 0): Beginning | null {
  let start: StartRecord | null = null;
  let note: SessionNote | null = null;
  let key: string | undefined;
  readRecords(journals, sessionId, from, (record) => {
    if (record.kind === 'start') start = record;
    if (record.kind === 'snapshot') {
      start = record.start;
      note = (noteNamed(record.notes, 'session') as SessionNote | undefined) ?? null;
      key = (noteNamed(record.notes, 'key') as { key: string } | undefined)?.key;
      return false;
    }
    if (start === null) return true;
    // The daemon itself wrote both notes at the session's start.
    if (record.kind === 'note' && record.name === 'session') note = record.data as SessionNote;
    if (record.kind === 'note' && record.name === 'key') key = (record.data as { key: string }).key;
    return record.kind === 'start' || record.kind === 'note';
  });
  return start === null || note === null ? null : { start, note, key };
}

const noteNamed = (notes: SnapshotRecord['notes'], wanted: string): unknown =>
  notes.find(({ name }) => name === wanted)?.data;
