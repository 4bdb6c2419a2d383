/**
 * The tools that send a message. Their input is the data of the message, with the same schema (generated/inputs.ts).
 */
import { INPUTS } from './generated/inputs.js';
import type { Tool } from './tool.js';

export const ask: Tool = {
  name: 'ask',
  summary:
    'Ask the person who supervises you, when you need a decision that is not yours. Waits for the answer, however long that takes, and returns it; "declined" means that there will be none and that you decide.',
  message: 'QUESTION',
  input: INPUTS.QUESTION,
  waits: true,
};

export const reportStatus: Tool = {
  name: 'report_status',
  summary: 'Say where you stand, now and then in long work. currentStep or progress (0 to 100) must be there.',
  message: 'STATUS_UPDATE',
  input: INPUTS.STATUS_UPDATE,
  waits: null,
};

export const reportBlocked: Tool = {
  name: 'report_blocked',
  summary:
    'Say that you cannot go on without the person. Then stop: what helps is your next input. With wait it is returned.',
  message: 'BLOCKED',
  input: INPUTS.BLOCKED,
  waits: false,
};

export const reportError: Tool = {
  name: 'report_error',
  summary: 'Say what went wrong without stopping you.',
  message: 'ERROR',
  input: INPUTS.ERROR,
  waits: null,
};

export const requestReview: Tool = {
  name: 'request_review',
  summary:
    'Ask for approval before a step that wants it. Then stop: "approve" or "request changes: ..." is your next input. With wait it is returned.',
  message: 'REQUEST_REVIEW',
  input: INPUTS.REQUEST_REVIEW,
  waits: false,
};

export const taskComplete: Tool = {
  name: 'task_complete',
  summary: 'Say, at the very end, that the task is done.',
  message: 'TASK_COMPLETE',
  input: INPUTS.TASK_COMPLETE,
  waits: null,
};
