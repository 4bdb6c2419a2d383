/** What attaching is told: by the person's configuration, and by whoever attaches. */
import type { Client } from '../client/index.js';
import type { Session } from '../protocol/index.js';

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

export interface AttachOptions extends AttachPreferences {
  readonly client: Client;
  /** As whoever attaches has just seen it. */
  readonly session: Pick<Session, 'id' | 'name' | 'mode'>;
  readonly isReadOnly: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Standard input and output unless said. */
  readonly streams?: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream };
}
