/** Processes of the system: finds, checks and ends those of a session. */
export { endProcesses } from './kill.js';
export { withAncestors } from './processes.js';
export { isStillThere } from './program-age.js';
export { leaveScope, SessionScopes } from './session-scopes.js';
export { addStartingProcess, hasStartingProcess } from './starting-processes.js';
export { needTaskRoom } from './task-room.js';
