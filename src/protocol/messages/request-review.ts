/** REQUEST_REVIEW: the agent asks a person to approve a step before it takes it. Opens an inbox item. */
import { type MessageKind, markdown } from './message-kind.js';

export const REQUEST_REVIEW: MessageKind = {
  shape: 'RequestReviewMessage',
  state: () => 'waiting',
  item: {
    mark: '◆',
    style: 'cyan',
    word: 'review',
    title: 'asks for a review',
    options: ['approve', 'request changes: '],
    parentMayAnswer: false,
  },
  words: { subject: 'description', fields: [{ name: 'files', title: 'Files' }, markdown('notes', 'Notes')] },
  prompt:
    'before a step that wants approval: description*, files (array), notes. Then stop and wait for "approve" ' +
    'or "request changes: ...".',
  tool: {
    name: 'request_review',
    place: 5,
    summary:
      'Ask for approval before a step that wants it. Then stop: "approve" or "request changes: ..." is your ' +
      'next input. With wait it is returned.',
    waits: false,
  },
};
