/** Overlays: what is shown over an attached session for a moment, and takes the keys meanwhile. */

export { createHelp } from './attach-help.js';
export {
  createStage,
  GIVE_KEYS,
  type Overlay,
  type OverlayPorts,
  type OverlayStage,
  TAKE_KEYS,
} from './attach-overlay.js';
export { AttachOverlays } from './attach-overlays.js';
export { type Chosen, type CopyChoice, createCopy, MAX_SCROLLBACK } from './copy/index.js';
export { chooseForSplit } from './split-chooser.js';
