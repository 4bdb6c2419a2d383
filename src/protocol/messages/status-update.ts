/** STATUS_UPDATE: the agent reports its progress during long work. Opens no inbox item. */
import { stepsWords } from '../words/steps-words.js';
import type { MessageKind } from './message-kind.js';
import { withNotes } from './notes.js';

export const STATUS_UPDATE: MessageKind = {
  shape: 'StatusUpdateMessage',
  state: () => 'working',
  // Fields that it does not mention stay.
  said: (session, { progress, currentStep, totalSteps, completedSteps }) => ({
    progress: typeof progress === 'number' ? progress : session.progress,
    current_step: typeof currentStep === 'string' ? currentStep : session.current_step,
    ...(typeof totalSteps === 'number' && { total_steps: totalSteps }),
    ...(Array.isArray(completedSteps) && { completed_steps: completedSteps.map(String) }),
  }),
  words: {
    subject: 'currentStep',
    fields: [
      { name: 'progress', title: 'Progress' },
      { name: 'totalSteps', title: 'Steps' },
      { name: 'completedSteps', title: 'Done' },
    ],
    heading: () => 'status',
    line(data, subject) {
      const percent = typeof data['progress'] === 'number' ? `${Math.round(data['progress'])}%` : '';
      return { label: '', text: withNotes([percent, subject].filter(Boolean).join(' '), [stepsWords(data)]) };
    },
  },
  prompt:
    'now and then in long work: progress (0 to 100), currentStep; one of the two must be there; totalSteps, ' +
    'completedSteps (array).',
  tool: {
    name: 'report_status',
    place: 2,
    summary: 'Say where you stand, now and then in long work. currentStep or progress (0 to 100) must be there.',
    waits: null,
  },
};
