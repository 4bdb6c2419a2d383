/** The parts of the sessions that other pages show. */
export { SessionTable } from './session-list.js';
export { sessionRows } from './session-rows.js';
