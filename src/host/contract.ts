/**
 * The contract between the two long-lived processes: the host, which owns programs (in ptys, on pipes) and journals,
 * and the daemon.
 *
 * Commands and notices are JSON, one per line, over a Unix socket: `{id, command, …}` → `{id, ok: true, …}` or `{id,
 * ok: false, problem}`. Notices have no `id`. A command without `id` gets a reply only if it fails, with `id` 0 (an
 * older host always replies).
 *
 * Output never crosses this socket: the host writes it to the journal and reports how far the journal has grown, and
 * the daemon reads the file. The contract is versioned and only grows. A daemon accepts hosts from OLDEST_CONTRACT on.
 * An unknown command is refused also before `hello`, with `there is no command "…" in contract N`, which
 * ask-contract.ts reads.
 */
import type { Problem } from '../protocol/index.js';

export const CONTRACT_VERSION = 7;
/**
 * The oldest host contract that a daemon supports. Sessions survive an upgrade only if their host is supported, so
 * raise this only when no release has that contract. The constants below say which contract added a feature; check them
 * before you use it.
 */
export const OLDEST_CONTRACT = 2;
/**
 * From this contract on, daemons report which sessions are watched (`watch`), and one notice lists all sessions that
 * have grown (`grown`).
 */
export const WATCH_CONTRACT = 3;
/** First contract with programs on pipes (`mode: 'batch'`). */
export const BATCH_CONTRACT = 4;
/** First contract with the command `proceed`. */
export const PROCEED_CONTRACT = 5;
/** First contract with standing tick orders, and with commands that need no reply. */
export const STANDING_TICK_CONTRACT = 6;
/** First contract with the command `person_waits`. */
export const PERSON_CONTRACT = 7;
/**
 * Maximum output that the host reads ahead of a connected daemon, so that ^C and questions do not wait behind a flood.
 * flow-window.ts uses less for output that the daemon processes slowly.
 */
export const FLOW_WINDOW_BYTES = 512 * 1024;
/**
 * Minimum of that window: several times what one read of a pty returns. The host may stop reading the pty once this
 * many bytes are not reported as read. A daemon that has read all output it knows of must therefore report its position
 * before it has read this many bytes since its last report.
 */
export const MIN_WINDOW_BYTES = 32 * 1024;
/**
 * Maximum unread output while no daemon is connected. After that, the host stops reading the pty, so nothing is lost.
 */
export const AWAY_CAP_BYTES = 256 * 1024 * 1024;
/** Maximum input, per session, that the program has not read yet. */
export const INPUT_QUEUE_BYTES = 1024 * 1024;
/**
 * Maximum length of a command, as a line of JSON without the newline. A request may have 4 MiB; the rest is for
 * escapes.
 */
export const COMMAND_BYTES = 16 * 1024 * 1024;
/** Maximum length of the standard input of a program on pipes, in bytes of UTF-8. */
export const STDIN_BYTES = 4 * 1024 * 1024;
export const DEFAULT_KILL_GRACE_MS = 3000;

// ── journal records ────────────────────────────────────────────────

interface RecordBase {
  /** Journal position of the record's first byte (its header). */
  readonly position: number;
  /** Journal position after its last byte: the next record's position. */
  readonly end: number;
  /** Milliseconds since the epoch. Never less than in the record before. */
  readonly time: number;
}

/** The first record of every journal, and of each segment that continues the journal of a revived session. */
export interface StartRecord extends RecordBase {
  readonly kind: 'start';
  readonly sessionId: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly pid: number;
  readonly cols: number;
  readonly rows: number;
}
/** Output of the program. `position + OUT_HEADER_BYTES + i` (record-codec.ts) is the position of byte `i`. */
export interface OutRecord extends RecordBase {
  readonly kind: 'out';
  /** Borrowed: valid until the next record is read. */
  readonly bytes: Uint8Array;
  /** Journal position of the first byte of `bytes`. */
  readonly bytesPosition: number;
}
interface ResizeRecord extends RecordBase {
  readonly kind: 'resize';
  readonly cols: number;
  readonly rows: number;
}
/**
 * Input to the program. A write of orchd (`text`: an answer, `send`, `keys`, the standard input of a program on pipes)
 * is recorded in full, as two records: `begin` before its first byte, `end` after its last byte is in the pty or the
 * pipe (or `failed`). A person's keystrokes are one record with only time and length.
 */
export interface InputRecord extends RecordBase {
  readonly kind: 'input';
  readonly phase: 'begin' | 'end' | 'failed' | 'keys';
  readonly writeId: string | null;
  /** The typed text; null for keystrokes, which are not stored. */
  readonly text: string | null;
  readonly length: number;
  /** True if it holds an Enter, so that a turn may begin. */
  readonly submits: boolean;
}
/** An answer to the terminal query at journal position `query`. */
interface ReplyRecord extends RecordBase {
  readonly kind: 'reply';
  readonly query: number;
  readonly text: string;
}
/** Data that the daemon writes to the journal before it uses them; `name` is their kind. */
export interface NoteRecord extends RecordBase {
  readonly kind: 'note';
  readonly name: string;
  readonly data: unknown;
}
/** A silence: no output arrived for `quietMs`. */
interface TickRecord extends RecordBase {
  readonly kind: 'tick';
  readonly quietMs: number;
}
/** The program has ended; all its output is before this record. Only notes, pauses and another start may follow. */
export interface ExitRecord extends RecordBase {
  readonly kind: 'exit';
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** True if a process that outlived the program still holds the terminal or a pipe. Its later output is not kept. */
  readonly leftOpen: boolean;
  readonly escaped: readonly ProcessInfo[];
}
/** The host stopped reading the program's output, or resumed it. */
interface PauseRecord extends RecordBase {
  readonly kind: 'pause';
  readonly paused: boolean;
  readonly reason: PauseReason;
}

/**
 * Replaces everything before it in a journal whose older records were dropped: the state of a reader at `end`. The
 * daemon writes it (cut-journal.ts). It does not depend on the host contract.
 */
export interface SnapshotRecord extends RecordBase {
  readonly kind: 'snapshot';
  /** Version of `hearing` and `screen`. A reader that does not know it continues without them. */
  readonly version: 1;
  /** The newest start of the program before this record, and the notes that came with it. */
  readonly start: StartRecord | null;
  readonly notes: readonly { readonly name: string; readonly data: unknown }[];
  /** A checkpoint of the ears. */
  readonly hearing: unknown;
  readonly screen: SnapshotScreen;
}
/** The state with which a terminal emulator continues. */
export interface SnapshotScreen {
  readonly cols: number;
  readonly rows: number;
  /** Sequences that paint the screen and its scrollback. */
  readonly snapshot: string;
  readonly isPlain: boolean;
  readonly hasBracketedPaste: boolean;
  readonly hasApplicationCursor: boolean;
  readonly joins?: number;
}

export type JournalRecord =
  | StartRecord
  | OutRecord
  | ResizeRecord
  | InputRecord
  | ReplyRecord
  | NoteRecord
  | TickRecord
  | ExitRecord
  | PauseRecord
  | SnapshotRecord;

export type PauseReason = 'journal_full' | 'disk_full';
export interface ProcessInfo {
  readonly pid: number;
  readonly command: string;
}

/** A program that an earlier host started, as described by its start record. */
export interface EarlierProgram {
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

// ── commands ────────────────────────────────────────────────

/** One step of a write: text to type (UTF-8), or a pause before the next step. */
export type WriteStep = { readonly text: string } | { readonly settleMs: number };

export interface HostCommands {
  /** Must be first. Raises the epoch: every older connection is refused from now on. */
  hello: { in: { contract: number; pid: number }; out: HostWelcome };
  /** `from`: position of the start record. */
  spawn: { in: SpawnRequest; out: { pid: number; position: number; from: number } };
  /**
   * Types. Idempotent: a `writeId` that the host has seen is not typed again, and gets the reply of the first write.
   * Other input waits until all steps are done. Replies when the write is queued and its `begin` is in the journal, not
   * when it is done.
   */
  write: {
    in: { sessionId: string; writeId: string; steps: readonly WriteStep[] };
    out: { position: number; seen: boolean };
  };
  /**
   * Ends the current pause (`settleMs`) of this write, so that its next step follows at once. Without a pause it does
   * nothing. Contract 5.
   */
  proceed: { in: { sessionId: string; writeId: string }; out: Record<string, never> };
  /**
   * Types a person's keystrokes. The journal contains only their time and length. The notice of their record and the
   * reply are sent with the echo, or a moment later.
   */
  keys: { in: { sessionId: string; text: string }; out: { position: number } };
  /** Answers a terminal query. Refused (`seen: true`) if the journal has a reply for this `query` or a later query. */
  reply: { in: { sessionId: string; query: number; text: string }; out: { position: number; seen: boolean } };
  resize: { in: { sessionId: string; cols: number; rows: number }; out: { position: number } };
  /** Appends a note. Allowed after the exit, until `forget`, because the last lines of a transcript may arrive late. */
  note: { in: { sessionId: string; name: string; data: unknown }; out: { position: number } };
  /**
   * Appends a `tick` after `quietMs` unless a byte came after `since`; replaces an earlier order. Quiet is counted from
   * the last output, so the tick may come at once. `stays` (contract 6): `since` does not matter, and the order holds
   * for every silence from here on: one tick in each, `quietMs` after its last output. `quietMs` null (contract 6): no
   * tick. Orders end with the connection.
   */
  tick: {
    in: { sessionId: string; since: number; quietMs: number | null; stays?: boolean };
    out: Record<string, never>;
  };
  /** Reports that the daemon has read the journal up to `position` (flow control). */
  taken: { in: { sessionId: string; position: number }; out: Record<string, never> };
  /**
   * `isWatched`: a client shows the output of the session as it is printed, so the daemon gets a notice at once. For
   * other sessions that print all the time it gets a notice once per beat (beat.ts). A new connection watches nothing.
   * Contract 3.
   */
  watch: { in: { sessionId: string; isWatched: boolean }; out: Record<string, never> };
  /** Reports that a person waits for a command: floods take turns for a moment (flood-scheduler.ts). Contract 7. */
  person_waits: { in: Record<string, never>; out: Record<string, never> };
  /**
   * HUP, CONT, TERM, grace period, KILL to every process of the session. Replies when the exit record is written.
   * The session may be one of an earlier host. This host then finds the remaining processes by their environment, and
   * by `earlier` if that process still exists. `position` is 0 then. A host that does not know `earlier` ignores it.
   */
  kill: {
    in: { sessionId: string; graceMs: number; earlier?: EarlierProgram };
    out: { position: number; escaped: readonly ProcessInfo[] };
  };
  /** Returns if the terminal is in line mode (canonical), and the maximum length of a line in bytes. */
  terminal: { in: { sessionId: string }; out: { canonical: boolean; echo: boolean; maxLineBytes: number | null } };
  /** Forgets an ended session. Its journal stays. */
  forget: { in: { sessionId: string }; out: Record<string, never> };
  /** Kills every session and ends the host. */
  shutdown: { in: { graceMs: number }; out: { killed: number } };
}

export type HostCommandName = keyof HostCommands;

type ProgramMode = 'pty' | 'batch';

export interface SpawnRequest {
  readonly sessionId: string;
  /** Absolute path of the program. */
  readonly file: string;
  /** argv, with the program's name first. node-pty replaces that name by `file`. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment. The host adds ORCHD_SESSION_ID. */
  readonly env: Readonly<Record<string, string>>;
  readonly umask: number;
  readonly cols: number;
  readonly rows: number;
  /**
   * Notes that are journaled after the start record and before the program starts, because its readers need them from
   * the first byte on.
   */
  readonly notes: readonly { readonly name: string; readonly data: unknown }[];
  /** True to continue the journal of an ended session, in a new segment. Contract 2. */
  readonly again?: boolean;
  /**
   * `batch`: on pipes, without a terminal. Nothing can be typed then, and the size is only that of the display of its
   * output. Contract 4.
   */
  readonly mode?: ProgramMode;
  /** With `batch` only: the whole standard input, which is closed after it. If absent, it is /dev/null. Contract 4. */
  readonly stdin?: string;
}

export interface HostWelcome {
  readonly contract: number;
  readonly pid: number;
  readonly version: string;
  /** The commit from which the host was built, if known. */
  readonly commit?: string;
  readonly startedAt: number;
  readonly epoch: number;
  readonly sessions: readonly HostSession[];
}
/** A session that the host knows: it is running, or has ended and was not forgotten. */
export interface HostSession {
  readonly sessionId: string;
  readonly pid: number;
  /** End of the session's journal. */
  readonly position: number;
  readonly exited: boolean;
}

export type HostReply =
  | { id: number; ok: true; [field: string]: unknown }
  | { id: number; ok: false; problem: Problem };

/** Notices have no `id`. Several growths of a session may be reported by one notice. */
export type HostNotice =
  /** Sent to a daemon of a contract before 3. */
  | { notice: 'grew'; sessionId: string; position: number }
  /** All sessions that have grown since the last such notice. Contract 3. */
  | { notice: 'grown'; positions: readonly (readonly [sessionId: string, position: number])[] }
  /** Another daemon has taken the lease. The host closes this connection. */
  | { notice: 'replaced' };
