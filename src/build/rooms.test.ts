/**
 * The rooms of src: the compiler knows which room may import which (tsconfig.json), this test the rest. No module
 * imports itself through others, and a room is imported through its public faces.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '..');
/** Modules beside `index.ts` that other rooms may import. Every other import of them is an error. */
const FACES: Readonly<Record<string, readonly string[]>> = {
  // Small parts for processes that must start fast.
  protocol: ['errors', 'paths', 'version'],
  // All that passes between the daemon and the host.
  host: ['contract'],
  session: ['adapters/index', 'turn/turn-reader'],
  // Commands that show a session or a recording use these parts without the TUI itself.
  tui: [
    ...['attach/attach-options', 'attach/attach-target', 'attach/attach-terminal', 'input/external-editor'],
    ...['notify-way', 'paint/ansi-row', 'paint/frame-writer', 'paint/terminal-reset', 'paint/text'],
  ],
};
/** Rooms that may import any module: they generate files that the whole of another room needs. */
const EVERYWHERE = ['build'];
/** `index.ts` of client loads what an import of the library must not. */
const LIBRARY = 'client/library.ts';

interface Import {
  readonly from: string;
  readonly to: string;
  readonly isOfTypes: boolean;
}

const STATEMENT = /^(?:import|export)\s+(type\s+)?(?:([^;'"]*?)\s+from\s+)?'(\.[^']+)'/gm;
const files = globbed().filter((file) => !/\.test\.tsx?$/.test(file));
const imports = files.flatMap(importsOf);

function globbed(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
}

function importsOf(from: string): Import[] {
  const text = readFileSync(join(SRC, from), 'utf8');
  return [...text.matchAll(STATEMENT)].flatMap(([, type, names = '', path = '']) => {
    const target = relative(SRC, join(SRC, dirname(from), path)).replace(/\.js$/, '');
    const to = [`${target}.ts`, `${target}.tsx`].find((file) => files.includes(file));
    const inner = /\{([^}]*)\}/.exec(names)?.[1]?.split(',') ?? [''];
    const isOfTypes = type !== undefined || inner.every((name) => /^\s*(type\s|$)/.test(name) && names !== '');
    return to === undefined ? [] : [{ from, to, isOfTypes }];
  });
}

const roomOf = (file: string): string => file.split('/')[0] ?? '';

test('the imports are found', () => {
  expect(files.length).toBeGreaterThan(500);
  expect(imports).toContainEqual({ from: 'cli/main.ts', to: 'cli/program/program.ts', isOfTypes: false });
});

test('no module imports itself through others', () => {
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

test('a room is imported through its public faces', () => {
  const past = imports.filter(({ from, to }) => {
    const room = roomOf(to);
    if (room === roomOf(from) || EVERYWHERE.includes(roomOf(from)) || from === LIBRARY) return false;
    const inside = to.slice(room.length + 1).replace(/\.tsx?$/, '');
    return inside !== 'index' && !FACES[room]?.includes(inside);
  });
  expect(past.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('a room inside the daemon is imported through its public face', () => {
  const inner = (file: string): string => /^daemon\/([^/]+)\//.exec(file)?.[1] ?? '';
  const past = imports.filter(
    ({ from, to }) => inner(to) !== '' && inner(from) !== inner(to) && to !== `daemon/${inner(to)}/index.ts`,
  );
  expect(past.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('every public face is used', () => {
  const used = new Set(imports.filter(({ from, to }) => roomOf(from) !== roomOf(to)).map(({ to }) => to));
  const faces = Object.entries(FACES).flatMap(([room, names]) => names.map((name) => `${room}/${name}.ts`));
  expect(faces.filter((face) => !used.has(face))).toEqual([]);
});
