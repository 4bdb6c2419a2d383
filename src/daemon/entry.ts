/**
 * The file that is started as the daemon, dist/daemon.js. It sets the flags of the compiler, then loads the daemon
 * (main.ts), which is a CommonJS bundle: V8 has compiled those at build time (src/build/tsdown.config.ts).
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { INLINING_FLAG } from '../protocol/daemon/v8-flags.js';

const { loadBundle } = createRequire(import.meta.url)('../bin/load-bundle.js') as {
  loadBundle(file: string): unknown;
};
setFlagsFromString(INLINING_FLAG);
loadBundle(join(import.meta.dirname, 'daemon-main.cjs'));
