/**
 * The bundles. Pure JavaScript goes in (devDependencies); node-pty and sqlite, which hold native code, stay outside (dependencies).
 * The host is one eager file of its own: an upgrade may pull the others from under a running one.
 */
import { join } from 'node:path';
import { defineConfig } from 'tsdown';

const ROOT = join(import.meta.dirname, '../..');
const ENTRIES = {
  cli: join(ROOT, 'src/cli/main.ts'),
  daemon: join(ROOT, 'src/daemon/main.ts'),
  'demo-agent': join(ROOT, 'src/cli/demo-agent.ts'),
  'sqlite-worker': join(ROOT, 'src/store/sqlite-worker.ts'),
  'judge-worker': join(ROOT, 'src/results/judge-worker.ts'),
};
const common = {
  platform: 'node',
  format: 'esm',
  target: 'node20',
  outDir: join(ROOT, 'dist'),
  dts: false,
  fixedExtension: false,
  // Only Ink's own developers have it, behind a variable of theirs.
  deps: { neverBundle: /^react-devtools-core$/ },
} as const;

/** What every command needs is one file: each that Node has to find and read takes it a millisecond. */
const START = /src\/(cli\/(context|paint|end-command)|protocol\/(errors|display|operations|version|paths|ids))\.ts/;

const QUICK_START = /src\/(cli\/(?!quick|start-daemon)|protocol\/(?!config-file)|client\/)/;

export default defineConfig([
  {
    ...common,
    entry: ENTRIES,
    clean: false,
    outputOptions: { codeSplitting: { groups: [{ name: 'start', test: START }] } },
  },
  // CommonJS: Node begins with it sooner. What it loads later is beside it.
  {
    ...common,
    format: 'cjs',
    minify: true,
    entry: { quick: join(ROOT, 'src/cli/quick.ts') },
    clean: false,
    outputOptions: { codeSplitting: { groups: [{ name: 'quick-start', test: QUICK_START }] } },
  },
  { ...common, entry: { host: join(ROOT, 'src/host/main.ts') }, clean: false },
]);
