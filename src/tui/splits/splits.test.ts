import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseLayout, readLayout } from './layout-file.js';
import { saveSplit } from './save-split.js';
import { parseSplit, splitText } from './split-text.js';
import {
  evenParts,
  leaf,
  leavesOf,
  moveEdge,
  removeLeaf,
  type SplitNode,
  splitLeaf,
  splitTiles,
  treeOfGrid,
} from './split-tree.js';
import { layoutTrust } from './trust.js';

let project: string;
let file: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'orchd-layout-'));
  mkdirSync(join(project, '.orchd'));
  mkdirSync(join(project, 'server'));
  file = join(project, '.orchd/layout.toml');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const problem = (text: string): string => {
  try {
    parseLayout(file, text);
    return '';
  } catch (error) {
    return (error as Error).message.replace(file, 'F');
  }
};

// ── text ────────────────────────────────────────────────

const names = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,6}$/), { minLength: 1, maxLength: 7 });
const ways = fc.array(fc.tuple(fc.nat(), fc.constantFrom('|' as const, '-' as const)), { minLength: 7, maxLength: 7 });
const directions = fc.array(fc.tuple(fc.nat(), fc.constantFrom('left', 'right', 'up', 'down')), { maxLength: 8 });

/** A tree built as users do: by splitting screens and moving edges. */
const trees = fc.tuple(names, ways, directions).map(([all, splits, moves]) => {
  let tree: SplitNode = leaf(all[0] ?? '');
  for (const [at, name] of all.slice(1).entries()) {
    const leaves = leavesOf(tree);
    const [where, way] = splits[at] ?? [0, '|'];
    tree = splitLeaf(tree, leaves[where % leaves.length] ?? '', way, name);
  }
  for (const [where, direction] of moves) {
    const leaves = leavesOf(tree);
    tree = moveEdge(tree, leaves[where % leaves.length] ?? '', direction);
  }
  return tree;
});

test('splitText and parseSplit preserve every split that keys can make', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      expect(parseSplit(splitText(tree))).toEqual(tree);
    }),
  );
});

test('the panes of a split cover the terminal without overlaps', () => {
  fc.assert(
    fc.property(trees, fc.integer({ min: 160, max: 400 }), fc.integer({ min: 60, max: 120 }), (tree, cols, rows) => {
      const tiles = splitTiles(tree, { cols, rows });
      if (tiles === null) return;
      expect(tiles).toHaveLength(leavesOf(tree).length);
      const cells = new Set<number>();
      for (const { x, y, width, height } of tiles)
        for (let row = y; row < y + height; row++)
          for (let col = x; col < x + width; col++) cells.add(row * cols + col);
      const area = tiles.reduce((sum, { width, height }) => sum + width * height, 0);
      expect(cells.size).toBe(area);
      for (const { x, y, width, height } of tiles) {
        expect(x + width <= cols && y + height <= rows).toBe(true);
        // The neighbour to the right begins after one column for the line.
        if (x + width < cols) expect(cells.has(y * cols + x + width)).toBe(false);
      }
    }),
  );
});

test('removing screens one by one keeps the order of the others', () => {
  fc.assert(
    fc.property(trees, fc.array(fc.nat(), { minLength: 7, maxLength: 7 }), (tree, picks) => {
      let left: SplitNode | null = tree;
      for (const pick of picks) {
        if (left === null) break;
        const before = leavesOf(left);
        const gone = before[pick % before.length] ?? '';
        left = removeLeaf(left, gone);
        expect(left === null ? [] : leavesOf(left)).toEqual(before.filter((name) => name !== gone));
        if (left) expect(parseSplit(splitText(left))).toEqual(left);
      }
    }),
  );
});

test('shares are optional, and parts without one divide the rest', () => {
  const shares = (text: string) => {
    const node = parseSplit(text);
    return node.kind === 'leaf' ? [] : node.parts.map(({ share }) => share);
  };
  expect(shares('a | b | c')).toEqual([34, 33, 33]);
  expect(shares('a 60% | b | c')).toEqual([60, 20, 20]);
  expect(shares('a 60%|(b - c 30%)')).toEqual([60, 40]);
  expect(splitText(parseSplit('((a) | (b-2 - c))'))).toBe('a | (b-2 - c)');
});

test.each([
  ['a | b - c', 'put brackets around one of two kinds of split: a | (b - c)'],
  ['a b', "put | or - before 'b'"],
  ['a | ', 'it needs the name of a session at the end'],
  ['(a | b', 'a bracket is not closed'],
  ['a 70% | b 40%', 'the shares of its parts add up to 110%, not to 100%'],
  ['a 99% | b | c', 'shares of 99% leave nothing for the other parts'],
  ['a 100% | b', '100% is not a share: use 1% to 99%'],
  ['a & b', "'&' is neither a name nor | - ( ) or a share such as 40%"],
  ['', 'it needs the name of a session at the end'],
])('split = "%s" is refused: %s', (text, words) => {
  expect(() => parseSplit(text)).toThrow(`split: ${words}`);
});

test('treeOfGrid turns an even grid into a split with the same screens', () => {
  const at = (x: number, y: number) => ({ x, y, width: 40, height: 12 });
  expect(splitText(treeOfGrid(['a', 'b', 'c'], [at(0, 0), at(41, 0), at(0, 12)]))).toBe('(a | b) - c');
});

// ── the file ────────────────────────────────────────────────

const FULL = `# mine
split = "api | (web - logs)" # how

# the server
[[session]]
name = "api"
command = "npm run dev -- --port '80 80'"
cwd = "server"
tags = ["dev"]
env = { PORT = "8080" }

[[session]]
name = "web"
command = ["vite"]

[[session]]
name = "logs"
command = "tail -f *.log | grep x"
teach = true
adapter = "claude"
`;

test('parses a complete layout, and runs a command line with shell syntax in a shell', () => {
  const { sessions, split } = parseLayout(file, FULL);
  expect(sessions).toEqual([
    {
      name: 'api',
      command: ['npm', 'run', 'dev', '--', '--port', '80 80'],
      cwd: join(project, 'server'),
      tags: ['dev'],
      adapter: null,
      isTaught: false,
      env: { PORT: '8080' },
    },
    { name: 'web', command: ['vite'], cwd: project, tags: [], adapter: null, isTaught: false, env: {} },
    {
      name: 'logs',
      command: ['sh', '-c', 'tail -f *.log | grep x'],
      cwd: project,
      tags: [],
      adapter: 'claude',
      isTaught: true,
      env: {},
    },
  ]);
  expect(split && splitText(split)).toBe('api | (web - logs)');
});

test.each([
  ['[[session]]\nname = "a"\ncomand = "x"', "F, line 3: there is no 'comand'; did you mean command?"],
  ['[[sesion]]\nname = "a"', "F, line 1: there is no 'sesion'; did you mean session?"],
  ['[session]\nname = "a"', 'F, line 1: write each session below a line [[session]]'],
  ['split = "a"', 'F: it has no session: add [[session]] with a name and a command'],
  ['[[session]]\ncommand = "x"', 'F, line 1: this session has no name'],
  ['[[session]]\nname = "a"\n\n[[session]]\nname = "b"\n', 'F, line 1: this session has no command'],
  [
    '[[session]]\nname = "a b"',
    'F, line 2: a name is a text of letters, digits, . _ and -, and begins with a letter or a digit',
  ],
  ['[[session]]\nname = "a"\ncommand = "x"\ncwd = "nowhere"', /F, line 4: there is no directory .*nowhere/],
  ['[[session]]\nname = "a"\ncommand = \'x "\'', 'F, line 3: the " that begins a quoted text has no second one'],
  ['[[session]]\nname = "a"\ncommand = ["x", 1]', 'F, line 3: command is a text, or a list of words: ["make", "test"]'],
  [
    '[[session]]\nname = "a"\ncommand = "x"\n[[session]]\nname = "a"\ncommand = "x"',
    "F, line 5: there are two sessions 'a'",
  ],
  [
    'split = "a | wbe"\n[[session]]\nname = "a"\ncommand = "x"\n[[session]]\nname = "web"\ncommand = "x"',
    "F, line 1: split: no session is called 'wbe'; did you mean web?",
  ],
  ['split = "a | a"\n[[session]]\nname = "a"\ncommand = "x"', "F, line 1: split: 'a' is in it twice"],
  ['[[session]]\nname = "a"\ncommand = "x"\nenv.PORT = 1', 'F, line 4: env is a table of texts: { PORT = "8080" }'],
  ['[[session]]\nname = "a"\ncommand = "x"\nenv = ["y"]', 'F, line 4: env is a table of texts: { PORT = "8080" }'],
  ['[[session]]\nname = a', /F, line 2, column 8: /],
])('refuses %j with the line', (text, words) => {
  if (typeof words === 'string') expect(problem(text)).toBe(words);
  else expect(problem(text)).toMatch(words);
});

const shown = (name: string, cwd = project) => ({ name, command: ['cat', "it's"], cwd, tags: ['x'] });

test('saveSplit replaces only the split, and adds and trusts missing sessions', () => {
  writeFileSync(file, FULL);
  const trust = layoutTrust(join(project, 'state'));
  const split = parseSplit('(web 30% | api) - new');
  const { added } = saveSplit(file, split, [shown('web'), shown('api'), shown('new', join(project, 'server'))], trust);
  expect(added).toEqual(['new']);
  const text = readFileSync(file, 'utf8');
  expect(
    text.startsWith(FULL.replace('split = "api | (web - logs)" # how', 'split = "(web 30% | api 70%) - new"')),
  ).toBe(true);
  const { sessions } = readLayout(file);
  expect(sessions.at(-1)).toMatchObject({
    name: 'new',
    command: ['cat', "it's"],
    cwd: join(project, 'server'),
    tags: ['x'],
  });
  expect(trust.untrusted(file, sessions).map(({ name }) => name)).toEqual(['api', 'web', 'logs']);
});

test('saveSplit puts a new split above the first session, and creates a missing file', () => {
  const other = join(project, 'other/.orchd/layout.toml');
  const trust = layoutTrust(join(project, 'state'));
  const tree = evenParts('|', [leaf('one'), leaf('two')]);
  saveSplit(other, tree, [shown('one', join(project, 'server')), shown('two')], trust);
  expect(readFileSync(other, 'utf8')).toContain('split = "one | two"\n');
  expect(readLayout(other).sessions.map(({ cwd }) => cwd)).toEqual([join(project, 'server'), project]);
  writeFileSync(file, '# a layout\n\n# one\n[[session]]\nname = "one"\ncommand = "x"\n');
  saveSplit(file, leaf('one'), [shown('one')], trust);
  expect(readFileSync(file, 'utf8')).toBe(
    '# a layout\n\nsplit = "one"\n\n# one\n[[session]]\nname = "one"\ncommand = "x"\n',
  );
});

test('saveSplit keeps a layout that is a symbolic link', () => {
  const target = join(project, 'kept.toml');
  writeFileSync(target, FULL);
  rmSync(file);
  symlinkSync(target, file);
  saveSplit(file, leaf('web'), [], layoutTrust(join(project, 'state')));
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(target, 'utf8')).toContain('split = "web"');
  rmSync(file);
});

test('saveSplit does not write through a symbolic link beside the layout', () => {
  writeFileSync(file, FULL);
  const victim = join(project, 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, `${file}.new`);
  saveSplit(file, leaf('web'), [], layoutTrust(join(project, 'state')));
  expect(readFileSync(victim, 'utf8')).toBe('mine');
  expect(readLayout(file).split).toEqual(leaf('web'));
  rmSync(`${file}.new`);
});

test('an error in a layout has the code ORCHD_LAYOUT, not that of the configuration', () => {
  expect(() => parseLayout(file, 'x = 1')).toThrow(expect.objectContaining({ code: 'ORCHD_LAYOUT' }));
  expect(() => parseLayout(file, 'x')).toThrow(expect.objectContaining({ code: 'ORCHD_LAYOUT' }));
});

test('saveSplit refuses to replace a split of several lines, and names the line', () => {
  const text =
    'split = """\none"""\n[[session]]\nname = "one"\ncommand = "x"\n[[session]]\nname = "two"\ncommand = "x"\n';
  writeFileSync(file, text);
  const trust = layoutTrust(join(project, 'state'));
  expect(() => saveSplit(file, evenParts('-', [leaf('one'), leaf('two')]), [], trust)).toThrow(/line 2/);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('trust is requested again only if what a session starts has changed', () => {
  const trust = layoutTrust(join(project, 'trust'));
  const { sessions } = parseLayout(file, FULL);
  trust.trust(file, sessions, sessions);
  const changed = (text: string, by: string) =>
    trust.untrusted(file, parseLayout(file, FULL.replace(text, by)).sessions).map(({ name }) => name);
  expect(changed('split = "api | (web - logs)"', 'split = "api"')).toEqual([]);
  expect(changed('"dev"', '"prod"')).toEqual([]);
  expect(changed('8080', '8081')).toEqual(['api']);
  expect(changed('"vite"', '"vite", "x"')).toEqual(['web']);
  expect(changed('teach = true', 'teach = false')).toEqual(['logs']);
  expect(changed('cwd = "server"', 'cwd = "."')).toEqual(['api']);
  expect(layoutTrust(join(project, 'none')).untrusted(file, sessions)).toHaveLength(3);
  for (const damaged of ['{', JSON.stringify({ [file]: 5 })]) {
    writeFileSync(join(project, 'trust/trusted-layouts.json'), damaged);
    expect(trust.untrusted(file, sessions)).toHaveLength(3);
  }
});
