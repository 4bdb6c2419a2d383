/** Limits that several processes share, so that none expects what another one refuses. Pure. */
export {
  CALL_ID_BYTES,
  CHANNEL_BYTES,
  DAY_MS,
  DEFAULT_LIST,
  DEFAULT_UMASK,
  FULL_DISK_BYTES,
  MACHINES_MS,
  MAX_BODY_BYTES,
  MAX_JSON_LINE_BYTES,
  MAX_REQUESTS,
  MAX_SCREENS,
  NO_HUB_MS,
  needRequestRoom,
  SCREEN_FRAME_MS,
  SEND_WAIT_MS,
} from './shared-limits.js';
export { fitCells, needFewCells } from './terminal-size.js';
