/** Output on its way to the journal: it is collected, and limited to what the daemon can read. */
export { Beat, type BeatPorts } from './beat.js';
export { FLOODS_AT_A_TIME, FloodScheduler } from './flood-scheduler.js';
export { FlowWindow } from './flow-window.js';
export { OutputCollector } from './output-collector.js';
