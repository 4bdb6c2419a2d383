/**
 * Code blocks that no test runs are at least read: commands and options exist, JSON and TOML can be parsed. Blocks that
 * are run have a line `<!-- example: NAME -->` above them (examples.test.ts). A shell block in README.md or docs/guide
 * that cannot be run here says why: `<!-- shown: REASON -->`.
 */
import type { Code, Html, Nodes } from 'mdast';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.js';
import { toCommand } from '../../src/cli/program/to-command.js';
import { mergeConfig, parseConfig } from '../../src/protocol/index.js';
import { PAGES, parsePage } from './pages.js';

interface Block {
  readonly page: string;
  readonly lang: string;
  readonly text: string;
  /** The comment above it. */
  readonly mark: string | null;
}

const isHtml = (node: Nodes | undefined): node is Html => node?.type === 'html';

const BLOCKS: readonly Block[] = PAGES.flatMap((page) => {
  const { children } = parsePage(page);
  return children.flatMap((node, index) => {
    if (node.type !== 'code') return [];
    const above = children[index - 1];
    return [block(page, node, isHtml(above) ? above.value : null)];
  });
});

function block(page: string, { lang, value }: Code, mark: string | null): Block {
  return { page, lang: lang ?? '', text: value, mark };
}

const of = (...langs: readonly string[]) => BLOCKS.filter(({ lang }) => langs.includes(lang));

/** The command lines of a shell block that begin with `orchd`. Blocks that are run need no check. */
function commandLines({ text, mark }: Block): string[] {
  if (mark?.startsWith('<!-- example:')) return [];
  const joined = text.replaceAll('\\\n', ' ');
  return joined.split('\n').filter((line) => /^orchd\b/.test(line) && !line.includes("-- sh -c '"));
}

/** Splits a line into words as a shell does, without expanding anything. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  const end = words.findIndex((word) => /^(#|[|<>&;]|2>|&&)/.test(word));
  return (end < 0 ? words : words.slice(0, end)).map((word) => word.replaceAll(/["']/g, ''));
}

/** Parses a command line without running it. Returns what is wrong with it, or null. */
async function problemOf(line: string): Promise<string | null> {
  const [, name, ...args] = wordsOf(line);
  if (name === undefined || name.startsWith('-')) return null;
  const spec = COMMANDS.find((command) => command.name === name || command.aliases?.includes(name));
  if (!spec) return `there is no command '${name}'`;
  try {
    await toCommand(spec, async () => {}).parseAsync(args, { from: 'user' });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('each command line in a page has a command and options that exist', async () => {
  const lines = of('sh').flatMap((shell) => commandLines(shell).map((line) => ({ page: shell.page, line })));
  expect(lines.length).toBeGreaterThan(100);
  const problems: string[] = [];
  for (const { page, line } of lines) {
    const problem = await problemOf(line);
    if (problem !== null) problems.push(`${page}: ${line}: ${problem}`);
  }
  expect(problems).toEqual([]);
});

test('a command line with a wrong command or option is found', async () => {
  expect(await problemOf('orchd lst')).toContain("no command 'lst'");
  expect(await problemOf('orchd ls --no-such-option')).toContain('--no-such-option');
  expect(await problemOf('orchd run -d --name x -- program --flag-of-the-program')).toBeNull();
});

test('each shell block of the README and the guide is run by a test, or says why not', () => {
  const guide = of('sh', 'js', 'python').filter(({ page }) => page === 'README.md' || page.startsWith('docs/guide/'));
  const known = /^<!-- (example|shown): .+ -->$/;
  const isSetUp = ({ text }: Block) => /^npm install && npm (start|test)$/.test(text);
  expect(guide.filter((shell) => !isSetUp(shell) && !known.test(shell.mark ?? '')).map(({ text }) => text)).toEqual([]);
});

test('each JSON block can be parsed', () => {
  for (const { page, text } of of('json')) expect(() => JSON.parse(text), `${page}: ${text}`).not.toThrow();
});

test('each TOML block is a valid configuration', () => {
  const blocks = of('toml');
  expect(blocks.length).toBeGreaterThan(1);
  for (const { page, text } of blocks) expect(() => mergeConfig([parseConfig(page, text)])).not.toThrow();
});
