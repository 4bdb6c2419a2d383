/** Words for answers, their authors and their delivery. */
import { type Answer, type Item, STALLED_WORDS } from '../../protocol/index.js';
import { line } from '../text/label-text.js';

/** Names the author of an answer. `web` is any browser without a name, including this one. */
export function byWho(by: string): string {
  if (by === 'terminal') return 'in the session’s own terminal';
  if (by === 'deadline') return 'by the question’s own deadline';
  if (by === 'web') return 'in the dashboard';
  if (by.startsWith('web:')) return `by ${line(by.slice(4), 40)}, in the dashboard`;
  if (by.startsWith('session:')) return `by the agent ${line(by.slice(8), 60)}`;
  return `by ${line(by, 40)}`;
}

/** Returns on one line how an item was closed. */
export function answerLine({ answer, state }: Pick<Item, 'answer' | 'state'>): string {
  if (!answer) return state === 'withdrawn' ? 'Withdrawn' : '';
  const said = answer.declined ? 'Declined' : `“${line(answer.text, 80)}”`;
  const delivery = answer.delivery ? ` · ${answer.delivery}` : '';
  return `${said}${delivery}`;
}

/** Returns why an answer is not delivered. */
export const stalledWords = ({ stalled_reason }: Answer): string =>
  STALLED_WORDS[stalled_reason ?? ''] ?? line(stalled_reason ?? 'it was not delivered');
