/** OUTPUT: the result of a run as an envelope, with a status, deliverables, issues and next steps. */
import { displayLine } from '../text/index.js';
import type { MessageData, MessageKind } from './message-kind.js';
import { countWords, withNotes } from './notes.js';

/**
 * An envelope. Only the instructions of runs that request an envelope describe it, so it has no tool and no line in the
 * general instructions.
 */
export const OUTPUT: MessageKind = {
  shape: 'OutputMessage',
  state: ({ status }) => (status === 'failed' ? 'failed' : 'done'),
  said: (session, data) => ({ progress: progressOf(data, session.progress) }),
  words: {
    subject: 'summary',
    fields: [], // its sections: words/envelope-words.ts
    heading: (status) => `output, ${status}`,
    line(data, summary) {
      const status = displayLine(String(data['status'] ?? ''));
      const error = data['error'];
      const message = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
      const why = status === 'failed' ? displayLine(message) : '';
      const notes = [
        countWords(data['deliverables'], 'deliverable'),
        countWords(data['issues'], 'issue'),
        countWords(data['next_steps'], 'next step'),
      ];
      const text = withNotes([summary, why].filter(Boolean).join(': '), notes);
      return { label: status, text, style: status === 'failed' ? 'red' : status === 'partial' ? 'yellow' : 'green' };
    },
  },
};

/**
 * Returns the progress according to an envelope: its `completion_percentage`; without one, 100 for a success. Null for
 * a session that completed an earlier task and did not succeed now.
 */
function progressOf(
  { status, completion_percentage: own, metadata }: MessageData,
  known: number | null,
): number | null {
  const inner =
    typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, 'completion_percentage') : null;
  const percent = own ?? inner;
  if (typeof percent === 'number') return percent;
  if (status === 'success') return 100;
  return known === 100 ? null : known;
}
