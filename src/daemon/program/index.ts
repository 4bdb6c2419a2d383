/** Starting a hosted program. */

export { agentGaps } from './agent-gaps.js';
export { agentDir, clearLaunch, isLaunched, pickAdapter, writeFiles } from './launch.js';
export { environmentFor } from './login-shell.js';
export { findProgram, loginEnvironment } from './program.js';
export {
  hashToken,
  newToken,
  ORCHD,
  type ProgramStart,
  type ProgramStarted,
  startProgram,
  toolsServer,
} from './program-start.js';
