import { Command, CommanderError } from 'commander';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import type { CommandSpec } from './command.js';
import { COMMANDS } from './commands/index.js';
import { readWords, type Words } from './read-words.js';
import { toCommand } from './to-command.js';

/** Returns commander's result; null if commander reports an error. */
async function readByCommander(spec: CommandSpec, words: readonly string[]): Promise<Words | null> {
  let found: Words | null = null;
  const program = new Command('orchd').option('--json').option('-q, --quiet').enablePositionalOptions().exitOverride();
  program.configureOutput({ writeErr: () => {}, writeOut: () => {} });
  program.addCommand(
    toCommand(spec, async (_spec, args, options) => {
      found = { args, options };
    }),
  );
  try {
    await program.parseAsync(['node', 'orchd', spec.name, ...words]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return found;
}

const flagsOf = (spec: CommandSpec): string[] =>
  (spec.options ?? []).flatMap(([flags]) => flags.split(/[ ,]+/).filter((word) => word.startsWith('-')));

const line = fc.constantFrom(...COMMANDS).chain((spec) => {
  const known = fc.constantFrom('--json', '-q', '--quiet', ...flagsOf(spec));
  const other = fc.constantFrom(
    'a',
    'b c',
    '',
    '-',
    '--',
    '80x24',
    '-x',
    '--help',
    '-h',
    '--nope',
    '--size=1x1',
    '-dq',
    '-1',
  );
  const word = fc.oneof({ weight: 2, arbitrary: known }, other);
  return fc.tuple(fc.constant(spec), fc.array(word, { maxLength: 5 }));
});

describe('a command line', () => {
  it('that is read without commander is read as it reads it', async () => {
    await fc.assert(
      fc.asyncProperty(line, async ([spec, words]) => {
        const read = readWords(spec, words);
        if (read) expect(read).toEqual(await readByCommander(spec, words));
      }),
      tries(2000),
    );
  });

  it.each([
    ['ls', []],
    ['ls', ['--living', '--json']],
    ['capture', ['build', '--scrollback', '500']],
    ['run', ['-d', '--name', 'a', '--env', 'A=1', '--env', 'B=2', '--', 'sh', '-c', 'exit 3']],
    ['send', ['build', 'y', '--no-enter']],
    ['keys', ['build', 'C-c']],
  ])('needs no commander for %s %j', async (name, words) => {
    const spec = COMMANDS.find((one) => one.name === name);
    if (!spec) throw new Error(name);
    expect(readWords(spec, words)).toEqual(await readByCommander(spec, words));
    expect(readWords(spec, words)).not.toBe(null);
  });
});
