/**
 * The configuration of the bundles. Pure JavaScript is bundled (devDependencies). node-pty and sqlite, which contain
 * native code, are not (dependencies). The host is one file that loads everything at its start, because an upgrade may
 * remove other files while it runs.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { defineConfig, type TsdownHooks } from 'tsdown';
import { HEAP_FLAGS, INLINING_FLAG } from '../protocol/daemon/v8-flags.js';
import { readCommit } from './commit.js';
import { quickEntries, quickPlugin } from './quick-bundles.js';

const ROOT = join(import.meta.dirname, '../..');
const ENTRIES = {
  cli: join(ROOT, 'src/cli/main.ts'),
  'demo-agent': join(ROOT, 'src/cli/demo-agent.ts'),
};
const DAEMON_ENTRIES = {
  'daemon-main': join(ROOT, 'src/daemon/main.ts'),
  'sqlite-worker': join(ROOT, 'src/store/sqlite-worker.ts'),
  'checker-worker': join(ROOT, 'src/results/checker-worker.ts'),
};
/**
 * Parts of fastify that the daemon does not call: compilers of its schemas, its logger, requests without a socket, and
 * HTTP/2. They would be a third of the daemon's bundle, which is loaded at each start.
 */
const UNUSED = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'pino',
  'light-my-request',
  'node:http2',
];

const common = {
  platform: 'node',
  format: 'esm',
  target: 'node20',
  outDir: join(ROOT, 'dist'),
  dts: false,
  fixedExtension: false,
  define: {
    __ORCHD_COMMIT__: JSON.stringify(readCommit(ROOT, process.env)),
    // Leaves out React's development build, which is larger and slower.
    'process.env.NODE_ENV': JSON.stringify('production'),
    // Otherwise ws looks for native modules at each start, which orchd does not have.
    'process.env.WS_NO_BUFFER_UTIL': JSON.stringify('1'),
    'process.env.WS_NO_UTF_8_VALIDATE': JSON.stringify('1'),
  },
  // Ink imports react-devtools-core only for its own developers, if the variable DEV is set.
  deps: { neverBundle: /^react-devtools-core$/ },
} as const;

/**
 * All commands need these modules. They are one file, because each file that Node has to find and read takes a
 * millisecond.
 */
const START =
  /src\/(cli\/(program\/(context|end-command)|printing\/paint)|protocol\/(errors|text\/display|operations|version|paths|ids))\.ts/;

/** All quick commands need these modules. They are one file for the same reason. */
const QUICK_START =
  /commander\/|src\/(cli\/(program\/(program|to-command|command|context|end-command|load-meanwhile)|printing\/(output|paint)|commands\/(version|attach)|daemon\/daemon-process|input\/(parse-values|random-hex)|sessions\/(attach-session|living-session))|client\/(client|call|caller|request)|tui\/attach\/attach-target|protocol\/(errors|ids|operations|paths|version|text\/display|daemon\/disk-words))\.ts/;

/** Compiles the written bundles with the flags with which they run. Node loads those of worker threads itself. */
const compiling = (...flags: string[]): Partial<TsdownHooks> => ({
  'build:done': ({ chunks }) => {
    const names = chunks.map(({ fileName }) => fileName).filter((name) => /\.cjs$/.test(name) && !/-worker/.test(name));
    const files = names.map((name) => join(common.outDir, name));
    execFileSync(process.execPath, [...flags, join(import.meta.dirname, 'compile-bundles.cjs'), ...files]);
  },
});

/** CommonJS starts faster in Node, also because Node loads no compiled code for other modules. */
const quick = { ...common, format: 'cjs', minify: true, clean: false } as const;
/** Names stay, so that people can read the stack traces in the log of a daemon. */
const NAMED = { minify: { compress: true, mangle: false } } as const;
/** bin/load-bundle.js provides `require` alone, so modules that are loaded on demand are required, too. */
const CALLS = { dynamicImportInCjs: false } as const;

export default defineConfig([
  {
    ...common,
    entry: ENTRIES,
    clean: false,
    outputOptions: { codeSplitting: { groups: [{ name: 'start', test: START }] } },
  },
  {
    ...quick,
    ...NAMED,
    entry: DAEMON_ENTRIES,
    alias: Object.fromEntries(UNUSED.map((name) => [name, join(import.meta.dirname, 'unused.cjs')])),
    outputOptions: { ...CALLS, chunkFileNames: 'daemon-[name]-[hash].cjs' },
    hooks: compiling(...HEAP_FLAGS, INLINING_FLAG),
  },
  {
    ...quick,
    entry: quickEntries,
    plugins: [quickPlugin],
    // With constants inlined, rolldown forgets those that a namespace of a module needs, and fails.
    inputOptions: { optimization: { inlineConst: false } },
    outputOptions: {
      ...CALLS,
      codeSplitting: { groups: [{ name: 'quick-start', test: QUICK_START }] },
      chunkFileNames: ({ moduleIds }) =>
        moduleIds.some((id) => id.includes('/cli/commands/')) ? 'command-[name]-[hash].cjs' : '[name]-[hash].cjs',
    },
    hooks: compiling(),
  },
  // The library for other programs, with its types.
  {
    ...common,
    entry: { library: join(ROOT, 'src/client/library.ts') },
    dts: { tsconfig: join(import.meta.dirname, 'library.tsconfig.json') },
    clean: false,
  },
  { ...common, ...NAMED, entry: { host: join(ROOT, 'src/host/main.ts') }, clean: false },
  { ...common, entry: { daemon: join(ROOT, 'src/daemon/entry.ts') }, clean: false },
]);
