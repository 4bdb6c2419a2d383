/** The options of attaching: those from the person's configuration and those from the caller. */
import type { Client, Terminal } from '../../client/index.js';
import type { AttachSegment, Segments, Size } from '../../protocol/index.js';
import type { AttachDrafts } from '../effects/drafts.js';
import type { AttachTarget } from './attach-target.js';
import type { AttachTransport } from './attach-transport.js';

/** Options from the person's configuration. */
export interface AttachPreferences {
  /** The option `tui.prefix`, such as `C-]`. */
  readonly prefix: string;
  /** The section [keys]: keys after the prefix, and the preset. */
  readonly keys: Readonly<Record<string, string>>;
  /** True if the wheel looks back while the program does not use the mouse. */
  readonly hasMouse: boolean;
  /** True to go on to the next session that waits after an answer. */
  readonly goesOn: boolean;
  /** True if the last row of the terminal is the status row. */
  readonly hasStatus: boolean;
  readonly segments: Segments<AttachSegment>;
  /** `write` lets programs write to the person's clipboard. Lines that the person copies are always written. */
  readonly clipboard: 'off' | 'write';
  /** The setting `notify.terminal`. */
  readonly notify: string;
  /** True if the last screen stays visible after the program has ended. */
  readonly isKept: boolean;
  /** Answers that were begun and not sent. Default: those in the folder of drafts. */
  readonly drafts?: AttachDrafts;
}

export interface AttachOptions extends AttachPreferences, AttachTarget {
  readonly client: Client;
  /** Default: the daemon of this machine. */
  readonly transport?: AttachTransport;
  /** The stream of the session and the size it was opened with, if the caller has already opened it. */
  readonly first?: { readonly terminal: Promise<Terminal>; readonly size: Size };
  /** True to detach the other clients of the session. */
  readonly detachesOthers?: boolean;
  /** True if a split is shown again when this ends: the key of zoom leads back to it. */
  readonly isInSplit?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Default: standard input and output. */
  readonly streams?: { readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream };
}
