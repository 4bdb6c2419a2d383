/** The sessions and items that the daemon knows. */

export { openQuestion, type QuestionPorts, questionItem, withdrawQuestions } from './open-question.js';
export { pickById } from './pick.js';
export { pickSession, Registry } from './registry.js';
export {
  type EntryPorts,
  newRecord,
  SessionEntry,
  SessionNotices,
  type SessionRecord,
} from './session-entry.js';
export { type Agent, readBeginning, type SessionNote, type StartOptions } from './session-note.js';
export type { Removed } from './typed-draft.js';
