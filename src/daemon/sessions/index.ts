/** Sessions: starting, following, recovering, reviving and importing them. */
export { CatchingUp } from './catching-up.js';
export { clearImports, Imports } from './imports.js';
export { createScreenFinder, screensAround, type TypedScreens } from './screens.js';
export { Sessions } from './sessions.js';
