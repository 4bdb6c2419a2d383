/** Text for terminals, shells, agents and people: columns, control sequences, display, quoting, similar names. Pure. */
export { withoutBlanks } from './blanks.js';
export { charWidth } from './char-width.js';
export { cut, fill, split, steadyText, widthOf, wrap } from './columns.js';
export { commandName } from './command-name.js';
export { CONTROL_SEQUENCES } from './control-sequences.js';
export { displayLine, displayText, withoutControls } from './display.js';
export type { InputRules } from './input-rules.js';
export { isAsciiLocale } from './locale.js';
export { createOutputRest } from './output-rest.js';
export { safeJson } from './safe-json.js';
export { shellWord } from './shell-word.js';
export { nearest, suggest } from './similar-names.js';
export { splitCommand } from './split-command.js';
export { counted, isRecord, lineEnd } from './values.js';
