/**
 * The callback for a parent that did not wait for its agent: the documented block, typed when the parent takes input.
 */
import { basename } from 'node:path';
import type { Run, Session } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { Registry } from '../registry.js';
import type { Typist } from '../typist.js';

export interface CallbackPorts {
  readonly registry: Registry;
  readonly typist: Pick<Typist, 'type'>;
  readonly log: Log;
}

/**
 * Types the block once: the host refuses a write id that it has seen.
 * @returns True if it was typed.
 */
export async function callBack({ registry, typist, log }: CallbackPorts, run: Run): Promise<boolean> {
  const parent = run.parent_session_id === null ? undefined : registry.get(run.parent_session_id);
  if (!parent || parent.hasEnded || parent.view.mode === 'batch' || isShell(parent.view)) return false;
  try {
    const writeId = `wri_${run.id.slice('run_'.length)}`;
    return await typist.type(parent, { writeId, text: callbackText(run), onWait: () => {} });
  } catch (error) {
    if (!parent.hasEnded) log.error('the end of an agent could not be told', error, { session_id: parent.id });
    return false;
  }
}

/**
 * Returns the documented block. Its session is the one that was announced when the run began, whichever attempt ended
 * it.
 */
export function callbackText(run: Run): string {
  const attributes = `session="${announcedSession(run) ?? ''}" status="${run.state}" run="${run.id}"`;
  return `<agent-callback ${attributes}>\n## Child Result\n\n${bodyOf(run)}\n</agent-callback>`;
}

/** Returns the session of the first attempt, which a caller that did not wait was told. */
export const announcedSession = ({ attempts, session_id }: Pick<Run, 'attempts' | 'session_id'>): string | null =>
  attempts[0]?.session_id ?? session_id;

const SHELLS = /^-?(sh|bash|zsh|dash|ksh|mksh|fish|ash|tcsh|csh|nu|xonsh|elvish|pwsh)$/;

/**
 * True for an interactive shell, which would run the lines of a callback as commands. A shell that runs a script counts
 * as a program.
 */
export function isShell({ adapter, command }: Pick<Session, 'adapter' | 'command'>): boolean {
  const [file = '', ...args] = command;
  const isScript = args.some((arg) => !arg.startsWith('-') || /^-[a-z]*c/.test(arg));
  return adapter === 'shell' && SHELLS.test(basename(file)) && !isScript;
}

function bodyOf({ state, result_text, result_data, error }: Run): string {
  if (state !== 'completed') return JSON.stringify(error, null, 2);
  return result_text ?? JSON.stringify(result_data, null, 2);
}
