/** The options of the configuration: defaults, checks, and the values that they contain. Pure. */
export {
  type Config,
  type ConfigSource,
  configFromEnvironment,
  ignoredOptions,
  keyError,
  MAX_CONFIG_BYTES,
  mergeConfig,
  OPTIONS,
  projectSource,
  type Values,
} from './config.js';
export { isLoopback, type ListenAddress, parseListen, parseProxy } from './listen-address.js';
export { isLabelName, labelsOf, placeWords } from './machine-labels.js';
export { minutesOfQuiet, parseQuietHours, type QuietHours } from './quiet-hours.js';
export { acceptedNeeds, type RemoteNeed } from './remote-needs.js';
export { settingsOf } from './settings.js';
export {
  ATTACH_SEGMENTS,
  type AttachSegment,
  LINE_SEGMENTS,
  type LineSegment,
  type Segments,
  segmentsOf,
  TUI_SEGMENTS,
  type TuiSegment,
} from './status-segments.js';
