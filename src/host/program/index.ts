/** Programs: starts them in a pty or on pipes, reads their output without loss, writes their input. */
export { checkNative } from './native-pty.js';
export { Pipes } from './pipes.js';
export { MAX_CHUNK_BYTES, type Program, type ProgramExit } from './program.js';
export { Pty } from './pty.js';
export { readTerminalMode, type TerminalMode } from './terminal-mode.js';
