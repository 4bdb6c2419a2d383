/** Screens: the content of a session's terminal, computed from its journal. Nothing here depends on messages. */
export * from './bytes.js';
export { BACKGROUND, CELL, IS_COMBINED } from './cell-layout.js';
export { emulationMs, pieceOf } from './emulation-cost.js';
export { repliesTo } from './fixed-queries.js';
export { boundedTitle, guard } from './guard.js';
export * from './keys.js';
export { brightText, lineText } from './line-text.js';
export { LineWatch, linesToFill, type RestorePoint } from './line-watch.js';
export * from './painter.js';
export * from './picture.js';
export * from './queries.js';
export { rowsOf } from './restore.js';
export * from './screen.js';
export { createRestWatch } from './sequences.js';
export { type Buffer, type Core, coreOf, dropRowsAbove, type Line, Writer } from './xterm-core.js';
