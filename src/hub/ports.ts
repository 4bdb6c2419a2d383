/** The interfaces that a member of a hub needs from its daemon. */
import type { Item, Session } from '../protocol/index.js';
import type { HubAddress } from './connect.js';
import type { WorkQueuePorts } from './labels/index.js';
import type { MailPorts } from './mail/index.js';

/** One event: its `seq`, and its JSON without a newline. */
export interface LogLine {
  readonly seq: number;
  readonly line: string;
}

export interface LogReader {
  /** Returns the next events; null when the signal has aborted. Waits for one if there is none. */
  read(wait: true): Promise<readonly LogLine[] | null>;
}

/** `inbox`: events without what was read from a terminal. `screens`: events as they are. */
export type HubShare = 'inbox' | 'screens';

export interface MemberPorts {
  readonly version: string;
  readonly share: HubShare;
  /** Events a second that this machine publishes at most; 0: no limit. */
  readonly rate: number;
  /** The labels of this machine, whose work it takes. */
  readonly labels: readonly string[];
  lastSeq(): number;
  reader(since: number, signal: AbortSignal): LogReader;
  sessions(): readonly Session[];
  openItems(): readonly Item[];
  /** Keeps the position for the case that the hub has removed all events of this machine because of their age. */
  remember(published: Published): void;
  /** Commands to other machines, and from them. */
  readonly mail: Pick<MailPorts, 'waiting' | 'isEnrolled' | 'onCommand' | 'onTaken' | 'onOutcome' | 'onOffered'>;
  readonly work: Omit<WorkQueuePorts, 'labels' | 'now' | 'log'>;
  /** A monotonic clock in milliseconds. */
  now(): number;
  readonly log: { info(message: string, about?: object): void };
}

/** The membership of a daemon, as it is stored. */
export interface Membership extends HubAddress {
  /** Identifies the event log of this machine. */
  readonly logId: string;
  /** Only events after this `seq` are published. */
  readonly from: number;
  /** The log that had the name before; this one takes it over. */
  readonly replaces?: string;
  /** The newest published event as far as it was written down, and the incarnation of the stream that has it. */
  readonly published?: Published;
}

export interface Published {
  readonly seq: number;
  /** When the stream was created, by the clock of the server. */
  readonly stream: string;
}
