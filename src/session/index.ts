/** Sessions: a journal, its ears and its screen, joined. */
export * from './adapters/index.js';
export { type FlagsAbout, flagsOf, isShellScript, type KnownFlags, PATIENCE_MS } from './agent-flags.js';
export { type Hearing, QUIET_MS } from './hearing.js';
export { createHearing } from './hearing-again.js';
export { type CastParsing, hearCast, hearTerminal, hearText, type ParsedEvent } from './parse.js';
export { createRunner, type Runner, type RunnerPorts } from './runner.js';
export { createScreenKeeper, type ScreenKeeper, type ScreenKeeperOptions } from './screen-keeper.js';
export type { TranscriptPlace } from './transcript-items.js';
