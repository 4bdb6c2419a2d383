/**
 * The callback: types a block with the result of an agent into the session of the parent that started the agent and did
 * not wait for it. The block (`callbackText`) is typed when the parent takes input.
 */
import { type Run, withoutControls } from '../../protocol/index.js';
import { isAtCommands, type Typist, takesCommands } from '../answers/index.js';
import type { Log } from '../log.js';
import type { Registry, SessionEntry } from '../registry/index.js';

export interface CallbackPorts {
  readonly registry: Registry;
  readonly typist: Pick<Typist, 'type' | 'sees' | 'whenReading'>;
  readonly log: Log;
}

/**
 * Maximum time to wait for a parent that is seen not to read its terminal. It may look for input in a way that is never
 * seen.
 */
const READER_LIMIT_MS = 600_000;

/**
 * Types the block once, because the host refuses a write id that it has seen.
 * @returns True if it was typed.
 */
export async function callBack({ registry, typist, log }: CallbackPorts, run: Run): Promise<boolean> {
  const parent = run.parent_session_id === null ? undefined : registry.get(run.parent_session_id);
  if (!parent || parent.hasEnded || parent.view.mode === 'batch') return false;
  try {
    const writeId = `wri_${run.id.slice('run_'.length)}`;
    const mayType = (): boolean => !runsText(parent, typist.sees(parent));
    await typist.whenReading(parent, READER_LIMIT_MS);
    return await typist.type(parent, { writeId, text: callbackText(run), mayType, onWait: () => {} });
  } catch (error) {
    if (!parent.hasEnded) log.error('the end of an agent could not be told', error, { session_id: parent.id });
    return false;
  }
}

/** Returns the documented block. It names the session of the first attempt, which was announced when the run began. */
export function callbackText(run: Run): string {
  const attributes = `session="${announcedSession(run) ?? ''}" status="${run.state}" run="${run.id}"`;
  return `<agent-callback ${attributes}>\n## Child Result\n\n${withinBlock(bodyOf(run))}\n</agent-callback>`;
}

/** Returns the session of the first attempt. A caller that does not wait receives this id when the run begins. */
export const announcedSession = ({ attempts, session_id }: Pick<Run, 'attempts' | 'session_id'>): string | null =>
  attempts[0]?.session_id ?? session_id;

/**
 * True if a shell, an editor or a similar program reads the terminal. It would run the lines of a callback as commands,
 * and they contain another agent's words.
 */
const runsText = ({ view }: SessionEntry, isAgent: boolean): boolean =>
  isAtCommands(view.pid, isAgent) ?? (!isAgent && takesCommands(view.command));

/** Returns the text of the result without control characters, which could end the paste and press keys. */
function bodyOf({ state, result_text, result_data, error }: Run): string {
  if (state !== 'completed') return toJson(error);
  return result_text === null ? toJson(result_data) : withoutControls(result_text);
}

/** Escapes the end of a block in the words of a child: only orchd ends the block. In JSON, `\/` means `/`. */
const withinBlock = (body: string): string => body.replace(/<(?=\/agent-callback)/gi, '<\\');

/** `JSON.stringify` does not escape DEL and C1 controls. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(
    /[\u007f-\u009f]/g,
    (control) => `\\u00${control.charCodeAt(0).toString(16)}`,
  );
