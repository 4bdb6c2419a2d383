/** What a parent is told of the end of an agent that it did not wait for: the documented block, typed when it takes input. */
import type { Run } from '../../protocol/index.js';
import type { Log } from '../log.js';
import type { Registry } from '../registry.js';
import type { Typist } from '../typist.js';

export interface CallbackPorts {
  readonly registry: Registry;
  readonly typist: Pick<Typist, 'type'>;
  readonly log: Log;
}

/** The host types nothing twice, whoever asks. @returns Whether it was typed. */
export async function callBack({ registry, typist, log }: CallbackPorts, run: Run): Promise<boolean> {
  const parent = run.parent_session_id === null ? undefined : registry.get(run.parent_session_id);
  if (!parent || parent.hasEnded || parent.view.mode === 'batch') return false;
  try {
    const writeId = `wri_${run.id.slice('run_'.length)}`;
    return await typist.type(parent, { writeId, text: callbackText(run), onWait: () => {} });
  } catch (error) {
    if (!parent.hasEnded) log.error('the end of an agent could not be told', error, { session_id: parent.id });
    return false;
  }
}

export function callbackText(run: Run): string {
  return `<agent-callback session="${run.session_id ?? ''}" status="${run.state}">\n## Child Result\n\n${bodyOf(run)}\n</agent-callback>`;
}

function bodyOf({ state, result_text, result_data, error }: Run): string {
  if (state !== 'completed') return JSON.stringify(error, null, 2);
  return result_text ?? JSON.stringify(result_data, null, 2);
}
