/**
 * The configuration of the bundles. Pure JavaScript is bundled (devDependencies). node-pty and sqlite, which contain
 * native code, are not (dependencies). The host is one file that loads everything at its start, because an upgrade may
 * remove other files while it runs.
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
  // Only Ink's developers use it, when they set a variable.
  deps: { neverBundle: /^react-devtools-core$/ },
} as const;

/**
 * Modules that every command needs are one file, because each file that Node has to find and read takes a millisecond.
 */
const START = /src\/(cli\/(context|paint|end-command)|protocol\/(errors|display|operations|version|paths|ids))\.ts/;

/** Modules that a quick command needs at its start are one file, too. */
const QUICK = /^quick:|src\/(cli\/(?!start-daemon)|protocol\/(?!config-file)|client\/(?!events|terminal)|tools\/)/;

/** Attaching opens a terminal immediately. */
const TERMINAL = /src\/client\/terminal/;
const ATTACHING = ['quick-attach', 'quick-a'];
/** The module that shows the terminal is loaded while the stream is requested, together with its imports. */
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
  // CommonJS starts faster in Node. Modules that a command loads later are separate files.
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
  // The library for other programs, with its types.
  {
    ...common,
    entry: { library: join(ROOT, 'src/client/library.ts') },
    dts: { tsconfig: join(import.meta.dirname, 'library.tsconfig.json') },
    clean: false,
  },
  { ...common, entry: { host: join(ROOT, 'src/host/main.ts') }, clean: false },
]);
