/** Output on its way to the journal: it is collected, and limited to what the daemon can read. */
export { Beat, type BeatPorts } from './beat.js';
export { FloodTurns } from './flood-turns.js';
export { FlowWindow } from './flow-window.js';
export { OutputCollector } from './output-collector.js';
