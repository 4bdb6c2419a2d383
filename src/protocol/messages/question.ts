/** QUESTION: the agent needs a decision. Opens an inbox item, and the agent waits for the answer. */
import { type MessageKind, markdown } from './message-kind.js';

export const QUESTION: MessageKind = {
  shape: 'QuestionMessage',
  state: () => 'waiting',
  item: { mark: '?', style: 'yellow', word: 'question', title: 'asks', parentMayAnswer: true },
  words: {
    subject: 'question',
    fields: [markdown('context')],
    elsewhere: ['options', 'default', 'deadlineSeconds'],
  },
  prompt:
    'when you need a decision: question*, options (array of strings), context. Then stop and wait: the ' +
    'answer is your next input.',
  tool: {
    name: 'ask',
    place: 1,
    summary:
      'Ask the person who supervises you, when you need a decision that is not yours. Waits for the answer, ' +
      'however long that takes, and returns it; "declined" means that there will be none and that you decide.',
    waits: true,
  },
};
