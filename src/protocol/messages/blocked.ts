/** BLOCKED: the agent cannot continue without a person. Opens an inbox item. The next input is the help. */
import { type MessageKind, markdown } from './message-kind.js';

export const BLOCKED: MessageKind = {
  shape: 'BlockedMessage',
  state: () => 'blocked',
  item: { mark: '!', style: 'red', word: 'blocked', title: 'is blocked', parentMayAnswer: true },
  words: { subject: 'reason', fields: [markdown('details'), markdown('suggestedAction', 'Suggested')] },
  prompt: 'when you cannot go on: reason*, details, suggestedAction. Then stop and wait.',
  tool: {
    name: 'report_blocked',
    place: 3,
    summary:
      'Say that you cannot go on without the person. Then stop: what helps is your next input. With wait it ' +
      'is returned.',
    waits: false,
  },
};
