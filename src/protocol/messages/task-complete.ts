import { displayLine } from '../display.js';
import type { MessageKind } from './message-kind.js';
import { countWords, withNotes } from './notes.js';

export const TASK_COMPLETE: MessageKind = {
  shape: 'TaskCompleteMessage',
  state: () => 'done',
  words: {
    subject: 'summary',
    fields: [
      { name: 'filesChanged', title: 'Files' },
      { name: 'commitHash', title: 'Commit' },
    ],
    line(data, subject) {
      const commit = typeof data['commitHash'] === 'string' ? `commit ${displayLine(data['commitHash'])}` : '';
      const text = withNotes(subject, [countWords(data['filesChanged'], 'file'), commit]);
      return { label: 'complete', text, style: 'green' };
    },
  },
  prompt: 'at the very end: summary*, filesChanged (array), commitHash.',
  tool: {
    name: 'task_complete',
    place: 6,
    summary: 'Say, at the very end, that the task is done.',
    waits: null,
  },
};
