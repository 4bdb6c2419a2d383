/** Text for terminals, shells, agents and people: columns, control sequences, display, quoting, similar names. Pure. */
export { charWidth } from './char-width.js';
export { cut, fill, split, steadyText, widthOf, wrap } from './columns.js';
export { commandName } from './command-name.js';
export {
  CONTROL_SEQUENCES,
  displayLine,
  displayText,
  ESCAPE_SEQUENCES,
  safeJson,
  withoutControls,
  withoutSequences,
} from './display.js';
export type { InputRules } from './input-rules.js';
export { isAsciiLocale } from './locale.js';
export { createOutputRest } from './output-rest.js';
export { nearest, suggest } from './similar-names.js';
export { shellWord, splitCommand } from './split-command.js';
export { counted, isRecord, lineEnd, literally, withoutBlanks, withoutDecoration, withValues } from './values.js';
