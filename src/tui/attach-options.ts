/** What attaching is told: by the person's configuration, and by whoever attaches. */
import type { Client, Terminal } from '../client/index.js';
import type { Size } from '../protocol/index.js';
import type { Seat } from './attach-seat.js';

/** What the person has configured. */
export interface AttachPreferences {
  /** `C-]` and the like. */
  readonly prefix: string;
  /** Whether the last row is ours. */
  readonly hasStatus: boolean;
  /** Whether programs, and who copies, may write to the person's clipboard. */
  readonly clipboard: 'off' | 'write';
  /** `notify.terminal`. */
  readonly notify: string;
  /** When the program ends, the person stays on its last screen. */
  readonly isKept: boolean;
}

export interface AttachOptions extends AttachPreferences, Seat {
  readonly client: Client;
  /** The seat's stream, where it has been asked for already, and for which size. */
  readonly first?: { readonly terminal: Promise<Terminal>; readonly size: Size };
  readonly env?: NodeJS.ProcessEnv;
  /** Standard input and output unless said. */
  readonly streams?: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream };
}
