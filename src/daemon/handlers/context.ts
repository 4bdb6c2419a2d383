/** The arguments of every handler. */
import type { HostClient } from '../../host/index.js';
import type { InputOf, OperationName, OutputOf, Paths } from '../../protocol/index.js';
import type { ScreenKeeper } from '../../session/index.js';
import type { Answers, Typist } from '../answers/index.js';
import type { Blueprints } from '../blueprints/index.js';
import type { DiskWatch, JournalLoads, Prune } from '../disk/index.js';
import type { EventHub, Outbox } from '../events/index.js';
import type { Hooks } from '../hooks/index.js';
import type { Observer, Watchers } from '../metrics/index.js';
import type { Notifier } from '../notify/index.js';
import type { Registry, SessionEntry } from '../registry/index.js';
import type { Runs } from '../runs/index.js';
import type { CatchingUp, Imports, Sessions } from '../sessions/index.js';
import type { Tasks } from '../tasks/index.js';
import type { Terminals } from '../terminals/index.js';
import type { Tools } from '../tools/index.js';
import type { Workflows } from '../workflows/index.js';

/** The caller: a person (any client with the socket or the token), or a program inside a session. */
export interface Caller {
  readonly session: SessionEntry | null;
  /** `cli`, `tui`, `api`, … */
  readonly client: string;
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal;
  /** The Idempotency-Key that marks repetitions of a request. */
  readonly requestKey: string | null;
  /** Calls a function when the whole reply was sent; never if the caller is gone. */
  readonly afterReply: (then: () => void) => void;
}

export interface House {
  readonly paths: Paths;
  /** Milliseconds between TERM and KILL. Callers may override it. */
  readonly killGraceMs: number;
  /** Setting `sessions.children_answer`. */
  readonly childrenAnswer: boolean;
  /** Setting `sessions.read_others`. */
  readonly readOthers: boolean;
  readonly version: string;
  readonly startedAt: number;
  readonly url: () => string | null;
  readonly tcp: () => NonNullable<OutputOf<'daemon.status'>['tcp']>;
  readonly host: () => HostClient;
  readonly registry: Registry;
  readonly sessions: Sessions;
  readonly catchingUp: CatchingUp;
  readonly imports: Imports;
  readonly prune: Prune;
  /** Returns a session's screen with all output read so far. */
  readonly screenOf: (entry: SessionEntry) => Promise<ScreenKeeper>;
  readonly terminals: Terminals;
  readonly answers: Answers;
  readonly disk: DiskWatch;
  readonly loads: JournalLoads;
  readonly typist: Typist;
  readonly tools: Tools;
  readonly hooks: Hooks;
  readonly blueprints: Blueprints;
  readonly runs: Runs;
  readonly tasks: Tasks;
  readonly workflows: Workflows;
  readonly notifier: Notifier;
  readonly observer: Observer;
  readonly watchers: Watchers;
  readonly hub: EventHub;
  readonly outbox: Outbox;
  /** Ends the daemon after the reply; `client` is the caller. */
  readonly stop: (keepSessions: boolean, client: string) => Promise<number>;
}

export type Handler<N extends OperationName> = (
  house: House,
  input: InputOf<N>,
  caller: Caller,
) => Promise<OutputOf<N>>;
export type Handlers = { readonly [N in OperationName]: Handler<N> };
