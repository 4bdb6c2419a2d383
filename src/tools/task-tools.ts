/** The tools that end the work on a task; each is called once in an attempt. */
import { INPUTS } from './generated/inputs.js';
import type { Tool } from './tool.js';

export const plannerOutput: Tool = {
  name: 'planner-output',
  summary:
    'Submit what your planning has come to, once. type "plan" with summary, requirements, ' +
    'acceptanceCriteria, plan and, if you know who shall do it, assignedAgent; type "questions" with ' +
    'questions, when the person must decide something first; type "error" with error, when it cannot be ' +
    'planned.',
  message: null,
  input: INPUTS['planner-output'],
  waits: null,
};

export const completionReport: Tool = {
  name: 'completion-report',
  summary:
    'Report that you are finished, once, at the very end: what was done, which files it changed, in which ' +
    'commit. outcome "failed" when it could not be done; the summary says why then.',
  message: null,
  input: INPUTS['completion-report'],
  waits: null,
};
