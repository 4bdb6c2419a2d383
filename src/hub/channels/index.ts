/** Terminals between machines, as sealed frames on subjects of their own. */
export { TerminalChannel } from './terminal-channel.js';
export { type PreparedChannel, TERMINAL_CONTRACT, TerminalChannels } from './terminal-channels.js';
