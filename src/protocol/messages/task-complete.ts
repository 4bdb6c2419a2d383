/** TASK_COMPLETE: the agent reports that its task is done, with a summary. Opens no inbox item. */
import { displayLine } from '../text/index.js';
import type { MessageKind } from './message-kind.js';
import { countWords, withNotes } from './notes.js';

export const TASK_COMPLETE: MessageKind = {
  shape: 'TaskCompleteMessage',
  state: () => 'done',
  // It ends all steps.
  said: (session, { summary, filesChanged, commitHash }) => ({
    progress: 100,
    current_step: null,
    ...(session.total_steps !== undefined && { total_steps: null }),
    ...(session.completed_steps !== undefined && { completed_steps: [] }),
    last_completion: {
      summary: String(summary),
      ...(Array.isArray(filesChanged) && { filesChanged: filesChanged.map(String) }),
      ...(typeof commitHash === 'string' && { commitHash }),
    },
  }),
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
