/**
 * Checks the code blocks that no test runs: commands and options exist, JSON and TOML can be parsed. Blocks that tests
 * run have a line `<!-- example: NAME -->` above them (examples.test.ts). A shell block in README.md or docs/guide that
 * no test can run says why: `<!-- shown: REASON -->`.
 */
import type { Code, Html, Nodes } from 'mdast';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.js';
import { toCommand } from '../../src/cli/program/to-command.js';
import { parseConfig } from '../../src/protocol/config-file.js';
import { mergeConfig } from '../../src/protocol/index.js';
import { parseLayout } from '../../src/tui/splits/layout-file.js';
import { PAGES, parsePage } from './pages.js';

interface Block {
  readonly page: string;
  readonly lang: string;
  readonly text: string;
  /** The comment above the block. */
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

test('every command line in the docs uses a command and options that exist', async () => {
  const lines = of('sh').flatMap((shell) => commandLines(shell).map((line) => ({ page: shell.page, line })));
  expect(lines.length).toBeGreaterThan(100);
  const problems: string[] = [];
  for (const { page, line } of lines) {
    const problem = await problemOf(line);
    if (problem !== null) problems.push(`${page}: ${line}: ${problem}`);
  }
  expect(problems).toEqual([]);
});

test('the check finds a command line with an unknown command or option', async () => {
  expect(await problemOf('orchd lst')).toContain("no command 'lst'");
  expect(await problemOf('orchd ls --no-such-option')).toContain('--no-such-option');
  expect(await problemOf('orchd run -d --name x -- program --flag-of-the-program')).toBeNull();
});

test('every code block of the README and the guide is run by a test or says why not', () => {
  const guide = of('sh', 'js', 'python').filter(({ page }) => page === 'README.md' || page.startsWith('docs/guide/'));
  const known = /^<!-- (example|shown): .+ -->$/;
  const isSetUp = ({ text }: Block) => /^npm install && npm (start|test)$/.test(text);
  expect(guide.filter((shell) => !isSetUp(shell) && !known.test(shell.mark ?? '')).map(({ text }) => text)).toEqual([]);
});

test('every JSON block can be parsed', () => {
  for (const { page, text } of of('json')) expect(() => JSON.parse(text), `${page}: ${text}`).not.toThrow();
});

const LAYOUT = /^\[\[session\]\]/m;

test('every TOML block is a valid configuration or a valid layout', () => {
  const [layouts, configs] = [true, false].map((isLayout) =>
    of('toml').filter(({ text }) => LAYOUT.test(text) === isLayout),
  );
  expect(configs?.length).toBeGreaterThan(1);
  for (const { page, text } of configs ?? []) expect(() => mergeConfig([parseConfig(page, text)])).not.toThrow();
  expect(layouts?.length).toBeGreaterThan(0);
  // The directories of the example do not exist here, so each one is replaced by the current directory.
  for (const { page, text } of layouts ?? []) {
    const here = text.replaceAll(/^cwd = .*$/gm, 'cwd = "."');
    expect(() => parseLayout(`${import.meta.dirname}/.orchd/layout.toml`, here), page).not.toThrow();
  }
});
