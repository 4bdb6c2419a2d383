/** The screens: components that depend only on their props. */
export { Feed } from './feed.js';
export { Help } from './help.js';
export { Inbox } from './inbox.js';
export { ItemDetails } from './item-details.js';
export { KeyLine, keyLineRows } from './key-line.js';
export { Palette } from './palette.js';
export { ScreenPane } from './screen-pane.js';
export { SessionForm } from './session-form.js';
export { Sessions } from './sessions.js';
export { StatusLine } from './status-line.js';
export { Step } from './step.js';
export { Workflow } from './workflow.js';
export { Workflows } from './workflows.js';
