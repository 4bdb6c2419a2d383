/** The request to type a text, and the ports and constants that all parts of the typist use. */
import type { HostClient } from '../../host/index.js';
import type { StallReason } from '../../lifecycle/index.js';
import type { Log } from '../log.js';
import type { SessionEntry } from '../registry/index.js';
import type { TypedScreens } from '../sessions/index.js';
import type { Choice } from './dialog-keys.js';
import { wrapsLines } from './shells.js';

export interface TypistPorts {
  readonly host: () => HostClient;
  readonly log: Log;
  /** Makes the program paint its whole screen again. */
  readonly repaint: (entry: SessionEntry) => Promise<void>;
  /** Returns the screens around a text that an earlier daemon has typed; null if the journal does not have them. */
  readonly screensAround: (entry: SessionEntry, writeId: string) => Promise<TypedScreens | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds of the monotonic clock. */
  readonly monotonicNow: () => number;
  /** Resolves when more of the session's output was read, or after `withinMs`. */
  readonly pause: (entry: SessionEntry, withinMs: number) => Promise<void>;
}

/** The ports of a part of the typist. */
export interface TypingPorts extends TypistPorts {
  /** True if the session has ended, or the daemon stops. */
  readonly isOver: (entry: SessionEntry) => boolean;
}

export interface TypeRequest {
  readonly writeId: string;
  readonly text: string;
  /** The option to choose. Its keys are pressed while the dialog that asks `text` is open. */
  readonly choice?: Choice;
  /** @param seen  What stands in the input line: the text that was not submitted, or what is in its way. */
  readonly onWait: (reason: StallReason, seen?: string) => void;
  /** Called directly before the text is typed. If it returns false, nothing is typed. */
  readonly mayType?: () => boolean;
  /** Ends the waiting; the text is then not typed. */
  readonly signal?: AbortSignal;
}

/** Interval of the looks at a session while the typist waits. */
export const LOOK_MS = 100;

/** True for a program with bracketed paste that takes a paste of several lines as one text. */
export const takesPaste = (entry: SessionEntry): boolean =>
  entry.keeper?.hasBracketedPaste === true && !wrapsLines(entry.view.pid);

/** True if the text is the answer to an item. */
export const isAnswer = (entry: SessionEntry, writeId: string): boolean =>
  entry.aggregate.items.some((item) => item.writeId === writeId);
