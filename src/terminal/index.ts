/** Screens: the content of a session's terminal, computed from its journal. Nothing here depends on messages. */
export * from './bytes.js';
export { repliesTo } from './fixed-queries.js';
export * from './keys.js';
export { brightText, lineText } from './lines/line-text.js';
export { LineWatch, linesToFill, type RestorePoint } from './lines/line-watch.js';
export * from './queries.js';
export * from './rows/painter.js';
export * from './rows/picture.js';
export * from './screen.js';
export { rowsOf } from './snapshot/restore.js';
export {
  BACKGROUND,
  BOLD,
  CELL,
  CODE_POINT,
  HAS_CONTENT,
  INVERSE,
  IS_COMBINED,
  ITALIC,
  KIND,
  RGB,
  STRIKETHROUGH,
} from './xterm/cell-layout.js';
export { emulationMs, pieceOf } from './xterm/emulation-cost.js';
export { boundedTitle, guard } from './xterm/guard.js';
export { type Buffer, type Core, coreOf, dropRowsAbove, type Line, Writer } from './xterm/xterm-core.js';
