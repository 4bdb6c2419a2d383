/** Sessions: a journal, its ears and its screen, joined. */
export * from './adapters/index.js';
export { type FlagsAbout, flagsOf, isShellScript, type KnownFlags, PATIENCE_MS } from './agent-flags.js';
export { type Hearing, QUIET_MS } from './hearing/hearing.js';
export { HOOK_NOTE, type HookNote } from './hearing/hook-note.js';
export { markedRows } from './hearing/marked-rows.js';
export { createHearing } from './hearing/session-hearing.js';
export { type CallNote, type GivenNote, TOOL_NOTE } from './hearing/tool-note.js';
export type { TranscriptPlace } from './hearing/transcript-items.js';
export { MACHINE } from './machine.js';
export {
  type Cast,
  type CastEvent,
  type CastHeader,
  type CastProblem,
  CastReader,
  parseCast,
  parseSize,
} from './recordings/cast.js';
export { CastPlayer } from './recordings/cast-player.js';
export { type CastOutcome, readCast } from './recordings/cast-stream.js';
export { CastWriter } from './recordings/cast-writer.js';
export { type Heard, type HeardAgain, hearAgain } from './recordings/hear-again.js';
export type { Happening } from './recordings/made-journal.js';
export { type CastParsing, hearCast, hearTerminal, hearText, type ParsedEvent } from './recordings/parse.js';
export { type Frame, Recording } from './recordings/recording.js';
export { createRunner, type Runner, type RunnerPorts, type Slice } from './runner.js';
export { createScreenKeeper, type ScreenKeeper, type ScreenKeeperOptions } from './screen/screen-keeper.js';
export { type Printed, readPrinted } from './turn/printed.js';
export { afterPrompt } from './turn/screen-echo.js';
export {
  type LastTurn,
  type PrintedTurn,
  TERMINAL_NOTE,
  type TerminalNote,
  TurnReader,
} from './turn/turn-reader.js';
export { Turns } from './turns.js';
export { warmUp } from './warm-up.js';
