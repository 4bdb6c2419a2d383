import { displayLine } from '../display.js';
import type { MessageKind } from './message-kind.js';
import { countWords, withNotes } from './notes.js';

/**
 * An envelope. Only the instructions of runs that request an envelope describe it, so it has no tool and no line in the
 * general instructions.
 */
export const OUTPUT: MessageKind = {
  shape: 'OutputMessage',
  state: ({ status }) => (status === 'failed' ? 'failed' : 'done'),
  words: {
    subject: 'summary',
    fields: [], // its sections: words/envelope-words.ts
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
