/** Processes of the system: finds, checks and ends those of a session. */
export { askProgram } from './ask-program.js';
export { endProcesses } from './kill.js';
export { withAncestors } from './processes.js';
export { isStillThere, startByProc } from './program-age.js';
export { type CgroupAccess, cgroupAccess, leaveScope, SessionScopes } from './session-scopes.js';
export { addStartingProcess, hasStartingProcess } from './starting-processes.js';
export { limitOf, needTaskRoom } from './task-room.js';
