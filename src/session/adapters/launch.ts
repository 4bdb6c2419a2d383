/** Parts that the launches of all agents are made of. */
import type { Launch, LaunchRequest } from './adapter.js';

/** Where hooks and plugins of ours append what they say, a JSON object a line. */
export const FEED_FILE = 'feed.jsonl';
export const feedOf = (dir: string): string => `${dir}/${FEED_FILE}`;
/** Tells OpenCode's plugin where that is; the others have it in their text. */
export const FEED_VARIABLE = 'ORCHD_FEED';

/** Exactly what was given. */
export const asGiven = ({ argv, teach }: LaunchRequest): Launch => ({
  argv,
  env: {},
  files: {},
  agentSessionId: null,
  isTaught: teach === null,
});
