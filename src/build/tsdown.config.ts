/**
 * The bundles. Pure JavaScript goes in (devDependencies); node-pty and sqlite, which hold native code, stay outside
 * (dependencies). The host is one eager file of its own: an upgrade may pull the others from under a running one.
 */
import { join } from 'node:path';
import { defineConfig, type UserConfig } from 'tsdown';
import { readCommit } from './commit.js';
import { FACADE, quickEntries, quickPlugin } from './quick-bundles.js';

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
  define: { __ORCHD_COMMIT__: JSON.stringify(readCommit(ROOT, process.env)) },
  // Only Ink's own developers have it, behind a variable of theirs.
  deps: { neverBundle: /^react-devtools-core$/ },
} as const;

/** What every command needs is one file: each that Node has to find and read takes it a millisecond. */
const START = /src\/(cli\/(context|paint|end-command)|protocol\/(errors|display|operations|version|paths|ids))\.ts/;

/** What a quick command needs at once is one file too. */
const QUICK =
  /^quick:|src\/(cli\/(?!start-daemon)|protocol\/(?!config-file)|client\/(?!events|terminal|web-|http)|tools\/)/;

/** Attaching opens a terminal at once. */
const TERMINAL = /src\/client\/(terminal|web-)/;
const ATTACHING = ['quick-attach', 'quick-a'];
/** What shows it is loaded while that is asked for; with all that it imports, whoever else does. */
const SHOWN = /src\/tui\/attach-terminal\.ts/;

const isAtOnce = (name: string, id: string): boolean =>
  QUICK.test(id) || (TERMINAL.test(id) && ATTACHING.includes(name));

export default defineConfig([
  {
    ...common,
    entry: ENTRIES,
    clean: false,
    outputOptions: { codeSplitting: { groups: [{ name: 'start', test: START }] } },
  },
  // CommonJS: Node begins with it sooner. What one of them loads later is beside it.
  ...quickEntries.map(
    ([name, entry]): UserConfig => ({
      ...common,
      format: 'cjs',
      minify: true,
      entry: { [name + FACADE]: entry },
      plugins: [quickPlugin],
      clean: false,
      outputOptions: {
        codeSplitting: {
          groups: [
            { name, test: (id: string) => isAtOnce(name, id) },
            { name: 'attach-terminal', test: SHOWN },
          ],
        },
        minifyInternalExports: false,
        chunkFileNames: (chunk) => (chunk.name === name ? '[name].cjs' : '[name]-[hash].cjs'),
      },
    }),
  ),
  // What other programs import, with its types.
  {
    ...common,
    entry: { library: join(ROOT, 'src/client/library.ts') },
    dts: { tsconfig: join(import.meta.dirname, 'library.tsconfig.json') },
    clean: false,
  },
  { ...common, entry: { host: join(ROOT, 'src/host/main.ts') }, clean: false },
]);
