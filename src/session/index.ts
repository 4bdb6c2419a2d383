/** Sessions: a journal, its ears and its screen, joined. */
export * from './adapters/index.js';
export { type FlagsAbout, flagsOf, isShellScript, type KnownFlags, PATIENCE_MS } from './agent-flags.js';
export {
  type Cast,
  type CastEvent,
  type CastHeader,
  type CastProblem,
  CastReader,
  parseCast,
  parseSize,
} from './cast.js';
export { CastPlayer } from './cast-player.js';
export { type CastOutcome, readCast } from './cast-stream.js';
export { CastWriter } from './cast-writer.js';
export { type Heard, type HeardAgain, hearAgain } from './hear-again.js';
export { type Hearing, QUIET_MS } from './hearing.js';
export { HOOK_NOTE, type HookNote } from './hook-note.js';
export { MACHINE } from './machine.js';
export type { Happening } from './made-journal.js';
export { markedRows } from './marked-rows.js';
export { type CastParsing, hearCast, hearTerminal, hearText, type ParsedEvent } from './parse.js';
export { type Printed, readPrinted } from './printed.js';
export { type Frame, Recording } from './recording.js';
export { createRunner, type Runner, type RunnerPorts, type Slice } from './runner.js';
export { afterPrompt } from './screen-echo.js';
export { createScreenKeeper, type ScreenKeeper, type ScreenKeeperOptions } from './screen-keeper.js';
export { createHearing } from './session-hearing.js';
export { type CallNote, type GivenNote, TOOL_NOTE } from './tool-note.js';
export type { TranscriptPlace } from './transcript-items.js';
export {
  type LastTurn,
  type PrintedTurn,
  TERMINAL_NOTE,
  type TerminalNote,
  TurnReader,
} from './turn-reader.js';
export { Turns } from './turns.js';
export { warmUp } from './warm-up.js';
