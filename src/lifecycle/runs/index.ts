/** Runs: what happens to a run, its attempts and its questions. */

export { decideRun, UNBEGUN } from './run.js';
export type { AttemptEnd, AttemptVerdict, RunAggregate, RunInput } from './run-aggregate.js';
