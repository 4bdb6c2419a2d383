/** Terminals between machines, as sealed frames on subjects of their own. */
export { BEAT_MS, SILENT_BEATS, TerminalChannel } from './terminal-channel.js';
export { type PreparedChannel, TERMINAL_CONTRACT, TerminalChannels } from './terminal-channels.js';
