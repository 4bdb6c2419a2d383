/**
 * Looks for regular expressions that take long for some text: those in the source, and those that its modules make.
 *
 * Each is tried with repeated pieces of text: common characters, and the characters and words of its own source. One
 * that takes longer than --limit for TEXT_CHARS would hold up the daemon for minutes with 64 KiB of such output.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import type { HardTest } from './run.js';

const SOURCE = join(import.meta.dirname, '../../src');
/** These modules build or test orchd, or run only in the process of one command, with the user's own texts. */
const ELSEWHERE = /^(?:build|cli|web)\//;
const TEXT_CHARS = 20_000;
const MANY = 50;
/** A text that takes longer is slow for any limit, so the search stops. */
const ENOUGH_MS = 1_000;
const PIECES = ['a', '0', ' ', '\t', '\n', '-', '_', '.', '/', '\\', '"', "'", '`', '<', '>', '=', '(', '[', '{', '}'];
const MORE_PIECES = [
  ',',
  ':',
  ';',
  '#',
  '*',
  '|',
  '│',
  '─',
  'x=',
  'a ',
  'a.',
  '--',
  'é',
  '漢',
  '1a',
  '\\ ',
  'a\n',
  ' \n',
];
const ENDS = ['', '\0', '!\n'];

interface Slow {
  readonly ms: number;
  readonly where: string;
  readonly source: string;
  readonly text: string;
}

export const hard: HardTest = {
  summary: 'regular expressions that take long for some text',
  options: ['--limit MS    CPU time for 20,000 characters (100)'],
  async run(args) {
    const { values } = parseArgs({ args, options: { limit: { type: 'string' } } });
    const limit = Number(values.limit ?? 100);
    const all = new Map([...literals(), ...(await made())]);
    const slow = [...all]
      .map(([key, { expression, where }]) => ({ ...slowest(expression), where, source: key }))
      .filter(({ ms }) => ms > limit)
      .sort((a, b) => b.ms - a.ms);
    console.log(`regexp: ${all.size} regular expressions tried`);
    for (const one of slow satisfies Slow[])
      console.log(`regexp: ${Math.round(one.ms)} ms, ${one.where}: ${one.source.slice(0, 120)} for ${one.text}`);
    if (slow.length > 0) throw new Error(`${slow.length} regular expressions take long`);
  },
};

type Found = readonly [key: string, found: { readonly expression: RegExp; readonly where: string }];

function literals(): Found[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|generated/.test(file) && !ELSEWHERE.test(file))
    .flatMap((file) => literalsOf(file));
}

function literalsOf(file: string): Found[] {
  const text = readFileSync(join(SOURCE, file), 'utf8');
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const expression = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push([node.text, { expression, where: `src/${file}:${line}` }]);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Returns expressions that modules build from parts when they are loaded. */
async function made(): Promise<Found[]> {
  const found: Found[] = [];
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args: [string | RegExp, string?]) {
      const expression = new target(...args);
      const line = new Error().stack?.split('\n').find((row) => row.includes(`${SOURCE}/`)) ?? '';
      const place = /\/src\/([^:)]+:\d+)/.exec(line)?.[1];
      if (place) found.push([String(expression), { expression, where: relative('', `src/${place}`) }]);
      return expression;
    },
  });
  try {
    for (const room of ['protocol', 'ears', 'terminal', 'session', 'lifecycle', 'results', 'workflow', 'tools'])
      await import(join(SOURCE, room, 'index.ts'));
  } finally {
    globalThis.RegExp = Original;
  }
  return found;
}

const cpuMs = (): number => process.cpuUsage().user / 1000;

/** Returns the text for which the expression takes longest. */
function slowest({ source, flags }: RegExp): { ms: number; text: string } {
  // A sticky expression is tried at each position by its caller, like a global one.
  const expression = new RegExp(source, `${flags.replace(/[gy]/g, '')}g`);
  let worst = { ms: 0, text: '' };
  for (const [start, piece] of texts(source)) {
    for (const end of ENDS) {
      const text = start + piece.repeat(Math.ceil(TEXT_CHARS / piece.length)) + end;
      const before = cpuMs();
      expression.lastIndex = 0;
      for (let found = 0; found < MANY; found++)
        if (!expression.exec(text) || expression.lastIndex === 0 || cpuMs() - before > ENOUGH_MS) break;
      const ms = cpuMs() - before;
      if (ms > worst.ms) worst = { ms, text: JSON.stringify([start, piece, end]) };
      if (ms > ENOUGH_MS) return worst;
    }
  }
  return worst;
}

/** Yields beginnings, each with a piece to repeat after it. */
function* texts(source: string): Generator<readonly [start: string, piece: string]> {
  const plain = source.replace(/\\[dwsbSWDBpPLN]|\\u\{?[0-9a-f]+\}?|\\x[0-9a-f]{2}/gi, '');
  const own = [...new Set(plain.match(/[^\\^$.*+?()[\]{}|]/gu))].slice(0, 14);
  const words = (source.match(/[A-Za-z:<>/ -]{3,}/g) ?? []).slice(0, 6);
  const pairs = own.flatMap((one) => [' ', 'a', '0'].flatMap((two) => [one + two, two + one]));
  for (const piece of new Set([...PIECES, ...MORE_PIECES, ...own, ...words, ...pairs]))
    for (const start of new Set(['', ...words.slice(0, 2), own[0] ?? ''])) yield [start, piece];
}
