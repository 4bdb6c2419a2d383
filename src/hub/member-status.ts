/** The state of a member of a hub, in words and numbers. */
import type { EventLimits } from './publishing/index.js';

export type MemberState = 'connecting' | 'connected' | 'problem';

interface HubLimitsShown extends EventLimits {
  readonly max_message_bytes: number;
  /** 0: no limit. */
  readonly events_per_second: number;
}

export interface MemberStatus {
  readonly url: string;
  readonly name: string;
  readonly state: MemberState;
  /** Why the hub does not get everything now. */
  readonly problem?: string;
  /** The newest event that the hub has; null before the first contact. */
  readonly published_seq: number | null;
  /** Number of events that the hub lacks; null before the first contact. */
  readonly lag: number | null;
  /** Milliseconds since the server last replied; null before the first contact. */
  readonly last_contact_ms: number | null;
  /** Why no commands can be exchanged with other machines now. */
  readonly commands_problem?: string;
  /** The labels of this machine, and why no work for them can be taken now. */
  readonly labels: readonly string[];
  readonly labels_problem?: string;
  /** Absent before the first contact. */
  readonly limits?: HubLimitsShown;
  /** The machines that send too much, in words. */
  readonly warnings: readonly string[];
}
