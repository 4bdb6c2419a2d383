/** What the daemon knows about its sessions and items. */

export { openQuestion, type QuestionPorts, questionItem, withdrawQuestions } from './open-question.js';
export { pickById } from './pick.js';
export { createRegistry, type Registry } from './registry.js';
export {
  type EntryPorts,
  newRecord,
  type Removed,
  SessionEntry,
  SessionNotices,
  type SessionRecord,
} from './session-entry.js';
export { type Agent, readBeginning, type SessionNote, type Wish } from './session-note.js';
