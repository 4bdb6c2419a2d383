/**
 * The rooms of src: the compiler knows which room may import which (tsconfig.json), this test the rest. No module
 * imports itself through others, a room is imported through its public faces, and a long file says why it is long.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..');
/** Modules beside `index.ts` that other rooms may import. */
const FACES: Readonly<Record<string, readonly string[]>> = {
  // Small parts for processes that must start fast, and one that brings a parser of TOML.
  protocol: ['errors', 'paths', 'version', 'config-file', 'daemon/v8-flags'],
  // A command checks messages without the rest.
  ears: ['json'],
  // All that passes between the daemon and the host.
  host: ['contract'],
  session: ['adapters/index', 'turn/turn-reader'],
  // Git, which only commands for worktrees need.
  client: ['worktree'],
  // Commands that show a session or a recording use these parts without the TUI itself.
  tui: [
    'attach/attach-options',
    'attach/attach-target',
    'grid/attach-screens',
    'input/external-editor',
    'diff-rows',
    'plain/plain-answer',
    'effects/notify-way',
    'paint/ansi-row',
    'paint/ascii',
    'paint/frame-writer',
    'paint/terminal-reset',
    'paint/text',
  ],
};
/** Rooms inside a room whose `index.ts` is a list of descriptors, or one of several faces. */
const OPEN_ROOMS = [
  'cli/commands',
  'hub/labels',
  'hub/mail',
  'protocol/daemon',
  'protocol/words',
  'session/adapters',
  'tui/screens',
  'web/sessions',
];
/**
 * The floors of the TUI, from the lowest. A folder imports only folders before it, types included. The files outside
 * these folders build the TUI from all of them.
 */
const TUI_FLOORS = [
  'paint',
  'input',
  'keys',
  'model',
  'acts',
  'rows',
  'view',
  'screens',
  'effects',
  'splits',
  'attach',
  'grid',
  'plain',
];
/** Rooms that may import any module: they generate files from the parts of other rooms. */
const EVERYWHERE = ['build'];
/** The library must not load everything that the `index.ts` of its room loads. */
const LIBRARY = 'client/library.ts';

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isOfTypes: boolean;
}

/** Modules that start a program or a worker, declarations for the compiler, and the list for the store's test. */
const STARTED =
  /^build\/|(^|\/)(main\.tsx?|entry\.ts|[a-z]+-worker\.ts|demo-agent\.ts|library\.ts|backends\.ts|.*\.d\.ts)$/;

/** A folder with more files than this holds two subjects. */
const MAX_FILES = 16;
/** Folders that are larger, with their size: one file for each descriptor or noun. */
const LARGE: Readonly<Record<string, number>> = {
  'cli/commands': 55,
  'daemon/handlers': 21,
};

/** A longer file has a reason in its header. */
const MAX_LINES = 400;
const read = (file: string): string => readFileSync(join(SRC, file), 'utf8');
const STATEMENT = /^(?:import|export)\s+(type\s+)?(?:([^;'"]*?)\s+from\s+)?'(\.[^']+)'/gm;
/** An import at run time, of a value or a type. */
const DYNAMIC = /\bimport\('(\.[^']+)'\)/g;
const files = globbed().filter((file) => !/\.test\.tsx?$/.test(file));
const imports = files.flatMap(importsOf);

function globbed(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
}

function targetOf(from: string, path: string): string | undefined {
  const target = relative(SRC, join(SRC, dirname(from), path)).replace(/\.js$/, '');
  return [`${target}.ts`, `${target}.tsx`].find((file) => files.includes(file));
}

function importsOf(from: string): Import[] {
  return [...read(from).matchAll(STATEMENT)].flatMap(([, type, names = '', path = '']) => {
    const to = targetOf(from, path);
    const inner = /\{([^}]*)\}/.exec(names)?.[1]?.split(',') ?? [''];
    const isOfTypes = type !== undefined || inner.every((name) => /^\s*(type\s|$)/.test(name) && names !== '');
    return to === undefined ? [] : [{ from, to, isOfTypes }];
  });
}

/** Imports at run time. They cannot make a circle, because the modules are complete by then. */
const dynamic = files.flatMap((from) =>
  [...read(from).matchAll(DYNAMIC)].flatMap(([, path = '']) => {
    const to = targetOf(from, path);
    return to === undefined ? [] : [{ from, to }];
  }),
);

const roomOf = (file: string): string => file.split('/')[0] ?? '';

test('finds the files and their imports', () => {
  expect(files.length).toBeGreaterThan(500);
  expect(imports).toContainEqual({ from: 'cli/main.ts', to: 'cli/program/program.ts', isOfTypes: false });
});

test('no module imports itself through other modules', () => {
  const next = new Map(files.map((file) => [file, [] as string[]]));
  for (const { from, to, isOfTypes } of imports) if (!isOfTypes) next.get(from)?.push(to);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) circles.push([...path.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

test('other rooms import only the public faces of a room', () => {
  const past = [...imports, ...dynamic].filter(({ from, to }) => {
    const room = roomOf(to);
    if (room === roomOf(from) || EVERYWHERE.includes(roomOf(from)) || from === LIBRARY) return false;
    const inside = to.slice(room.length + 1).replace(/\.tsx?$/, '');
    return inside !== 'index' && !FACES[room]?.includes(inside);
  });
  expect(past.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

// The index of the whole room exports from the files themselves. The bundler would otherwise put parts that only the
// daemon needs into daemon.js, and a command that loads the room would start a daemon.
test('a room inside a room is imported through its index, if it has one', () => {
  const rooms = files.filter((file) => /\/.*\/index\.ts$/.test(file)).map(dirname);
  const closed = rooms.filter((room) => !OPEN_ROOMS.includes(room));
  const past = [...imports, ...dynamic].filter(
    ({ from, to }) =>
      from !== `${roomOf(to)}/index.ts` &&
      closed.some((room) => to.startsWith(`${room}/`) && !from.startsWith(`${room}/`) && to !== `${room}/index.ts`),
  );
  expect(past.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('a folder of the TUI imports only lower folders', () => {
  const tui = imports.concat(dynamic.map((one) => ({ ...one, isOfTypes: false })));
  const floorOf = (file: string): number => {
    const [, folder = '', ...inside] = file.split('/');
    return inside.length === 0 ? TUI_FLOORS.length : TUI_FLOORS.indexOf(folder);
  };
  const inside = tui.filter(({ from, to }) => from.startsWith('tui/') && to.startsWith('tui/'));
  expect(files.filter((file) => file.startsWith('tui/') && floorOf(file) < 0)).toEqual([]);
  expect(inside.length).toBeGreaterThan(300);
  const upwards = inside.filter(({ from, to }) => floorOf(to) > floorOf(from));
  expect(upwards.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('every public face is imported', () => {
  const used = new Set(
    [...imports, ...dynamic].filter(({ from, to }) => roomOf(from) !== roomOf(to)).map(({ to }) => to),
  );
  const faces = Object.entries(FACES).flatMap(([room, names]) => names.map((name) => `${room}/${name}.ts`));
  expect(faces.filter((face) => !used.has(face))).toEqual([]);
});

test('a folder of more than 16 files is divided by subject', () => {
  const sizes = new Map<string, number>();
  for (const file of files) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  const large = Object.fromEntries([...sizes].filter(([, size]) => size > MAX_FILES));
  expect(large).toEqual(LARGE);
});

test('a file of more than 400 lines explains its length in its header', () => {
  const long = files.filter((file) => !file.includes('/generated/')).map((file) => [file, read(file)] as const);
  const silent = long.filter(([, text]) => {
    const header = text.slice(0, text.indexOf('*/'));
    return text.split('\n').length > MAX_LINES + 1 && !/long because|One class, because/.test(header);
  });
  expect(silent.map(([file]) => file)).toEqual([]);
});

test('nothing spreads a literal, which only hides the length of an object from the formatter', () => {
  const spreading = files.filter((file) => /\.\.\.\(?(?:\{ |\[[^\]\n]*\]\s*[,)\]])/.test(read(file)));
  expect(spreading).toEqual([]);
});

test('product code imports every module, so none is only for tests', () => {
  const imported = new Set([...imports, ...dynamic].map(({ to }) => to));
  expect(files.filter((file) => !imported.has(file) && !STARTED.test(file))).toEqual([]);
});

test('product code imports nothing from tests', () => {
  const fromTests = files.filter((file) => /from '[./]*\/test\/|from '[^']+\.test\.js'/.test(read(file)));
  expect(fromTests).toEqual([]);
});
