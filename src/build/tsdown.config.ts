/**
 * The bundles. Pure JavaScript goes in (devDependencies); node-pty and sqlite, which hold native code, stay outside (dependencies).
 * The host is one eager file of its own: an upgrade may pull the others from under a running one.
 */
import { existsSync } from 'node:fs';
import { defineConfig } from 'tsdown';

const ENTRIES = {
  cli: 'src/cli/main.ts',
  daemon: 'src/daemon/main.ts',
  'sqlite-worker': 'src/store/sqlite-worker.ts',
};
const common = {
  platform: 'node',
  format: 'esm',
  target: 'node20',
  outDir: 'dist',
  dts: false,
  fixedExtension: false,
} as const;
const present = Object.fromEntries(Object.entries(ENTRIES).filter(([, path]) => existsSync(path)));

export default defineConfig([
  { ...common, entry: present, clean: ['dist/*.js'] },
  { ...common, entry: { host: 'src/host/main.ts' }, clean: false },
]);
