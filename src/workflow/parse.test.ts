import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { readGrammar } from '../../test/harness/grammar.js';
import { createRandom, givenSeed } from '../../test/harness/random.js';
import { tries } from '../../test/harness/tries.js';
import { format, parse } from './index.js';
import { MAX_PROBLEMS } from './syntax/problems.js';

const PROTOCOL = join(import.meta.dirname, '../../protocol');
const grammar = readGrammar(readFileSync(join(PROTOCOL, 'agentfile.ebnf'), 'utf8'));
const isSchema = new Ajv2020({ allowUnionTypes: true }).compile(
  JSON.parse(readFileSync(join(PROTOCOL, 'workflow.schema.json'), 'utf8')),
);

test('returns everything in the file as a checked workflow', () => {
  const { workflow, problems } = parse(
    `NAME example
INPUT topic
INPUT style DEFAULT "plain \\"one\\"\\n"
AGENT reader FROM read.md -> findings REQUIRES "fast" RETRY 1 ON label:gpu IN "src/model"
ASK "Go on with $topic?" -> go: "yes" | "no" TIMEOUT 2h
GOAL sum """
    First $style
      then
    """ -> score: number[], text
  USING reader WITH writer WHEN $go == "yes" FOREACH $part IN $topic BUDGET 2.50 ON build-7
RUN all USING go, sum`,
    { readFile: () => ({ text: '\ufeffRead $part.\r\n' }) },
  );
  expect(problems).toEqual([]);
  const none = { blueprint: null, profile: null, place: null, retry: 0, timeout_ms: null, budget: null };
  expect(workflow).toEqual({
    name: 'example',
    inputs: [
      { name: 'topic', default: null, line: 2 },
      { name: 'style', default: 'plain "one"\n', line: 3 },
    ],
    agents: [
      {
        ...none,
        name: 'reader',
        prompt: { text: 'Read $part.', file: 'read.md' },
        outputs: [{ name: 'findings', type: 'any', is_list: false, choices: [] }],
        profile: 'fast',
        retry: 1,
        place: { kind: 'label', name: 'gpu', directory: 'src/model' },
        line: 4,
      },
    ],
    goals: [
      {
        kind: 'ask',
        name: 'go',
        question: 'Go on with $topic?',
        output: { name: 'go', type: 'choice', is_list: false, choices: ['yes', 'no'] },
        when: null,
        timeout_ms: 7_200_000,
        line: 5,
      },
      {
        ...none,
        kind: 'goal',
        name: 'sum',
        prompt: { text: 'First $style\n  then', file: null },
        outputs: [
          { name: 'score', type: 'number', is_list: true, choices: [] },
          { name: 'text', type: 'any', is_list: false, choices: [] },
        ],
        agents: ['reader'],
        blueprint: 'writer',
        when: { variable: 'go', operator: '==', right: { value: 'yes' } },
        foreach: { item: 'part', list: 'topic' },
        budget: 2.5,
        place: { kind: 'machine', name: 'build-7', directory: null },
        line: 6,
      },
    ],
    runs: [{ name: 'all', goals: ['go', 'sum'], line: 11 }],
  });
  expect(isSchema(workflow), JSON.stringify(isSchema.errors)).toBe(true);
});

describe('the position of a problem', () => {
  const first = (text: string) => parse(text).problems.find(({ code }) => code === 'syntax');

  test('counts characters, and the carets align with them in a terminal', () => {
    const problem = first('GOAL a "日本語🙂e\u0301\tin \\q" # x');
    expect(problem).toMatchObject({ line: 1, column: 19 });
    const [line = '', carets = ''] = problem?.excerpt.split('\n') ?? [];
    const at = line.indexOf('\\q');
    expect(carets.trimStart()).toBe('| '.concat(' '.repeat(stringWidth(line.slice(0, at)) - 4), '^^'));
  });

  test('in a long line is shown with the text around it', () => {
    const [line = '', carets = ''] =
      first(`GOAL a "${'x'.repeat(5_000)} \\q ${'y'.repeat(5_000)}"`)?.excerpt.split('\n') ?? [];
    expect(line.length).toBeLessThan(110);
    expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('\\q');
  });

  test('is shown without control characters', () => {
    expect(first('GOAL a\u001b[31m\u202e "x"')?.excerpt).toBe('1 | GOAL a‹U+001B›[31m‹U+202E› "x"\n  |       ^^^^^^^^');
  });

  test('in a prompt file includes the name of the file', () => {
    const { problems } = parse('GOAL a FROM a.md', { readFile: () => ({ text: 'One\nand $two\n' }) });
    expect(problems).toMatchObject([{ file: 'a.md', line: 2, column: 5, code: 'unknown_variable' }]);
  });
});

test('refuses a prompt file that links out of the directory, unless outside files are allowed', () => {
  const readFile = () => ({ problem: 'it lies elsewhere', isOutside: true as const });
  expect(parse('GOAL a FROM a.md', { readFile }).problems).toMatchObject([{ code: 'outside' }]);
  const allowed = parse('GOAL a FROM ../a.md', { readFile: () => ({ text: 'Go' }), allowOutside: true });
  expect(allowed.problems).toEqual([]);
});

test('reports only the unclosed quotes, and no problem that follows from them', () => {
  const { problems } = parse('GOAL a "Do $x" USING b\nGOAL c """ and so on\nAGENT b "x" -> x');
  expect(problems.map(({ code }) => code)).toEqual(['syntax']);
});

test('reports at most MAX_PROBLEMS problems and the number of the others', () => {
  const { problems } = parse('what\n'.repeat(MAX_PROBLEMS + 500));
  expect(problems.length).toBe(MAX_PROBLEMS + 1);
  expect(problems.at(-1)?.message).toBe('and 501 more problems behind this');
});

test('for random files: positions lie inside, the result fits its schema, and formatting is stable', () => {
  const random = createRandom(givenSeed() + 2);
  const pieces = [
    ...Array.from(' \n\t#"$->,:|[]=<.\\é日🙂\u0000'),
    '"""',
    'GOAL ',
    'USING',
    ' IN ',
    '\nASK ',
    '-> ',
    '$x',
    '\r\n',
  ];
  const seen = { formatted: 0, refused: 0 };
  for (let left = tries(2_500).numRuns; left > 0; left--) {
    let text = grammar.sentence('agentfile', random);
    for (let mistakes = random.below(4); mistakes > 0; mistakes--) {
      const at = random.below(text.length + 1);
      text = text.slice(0, at) + (pieces[random.below(pieces.length)] ?? '') + text.slice(at + random.below(3));
    }
    const { workflow, problems } = parse(text, { readFile: (path) => ({ text: `of ${path} $x` }) });
    if (!isSchema(workflow)) expect.fail(`${JSON.stringify(isSchema.errors)} of ${JSON.stringify(text)}`);
    const lines = text.split('\n');
    for (const { file, line, column } of problems) {
      const inside = file === null ? (lines[line - 1] ?? null) : `of ${file} $x`;
      if (inside === null || column < 1 || column > Array.from(inside).length + 1) {
        expect.fail(`${line}:${column} is outside of ${JSON.stringify(text)}`);
      }
    }
    const formatting = format(text);
    seen[formatting.ok ? 'formatted' : 'refused']++;
    if (!formatting.ok) continue;
    if (JSON.stringify(format(formatting.text)) !== JSON.stringify(formatting)) {
      expect.fail(`formatting twice is not formatting once: ${JSON.stringify(text)}`);
    }
    const again = parse(formatting.text, { readFile: (path) => ({ text: `of ${path} $x` }) });
    const withoutLines = (value: unknown) => JSON.stringify(value).replaceAll(/"line":\d+/g, '');
    if (withoutLines(again.workflow) !== withoutLines(workflow))
      expect.fail(`it says something else: ${JSON.stringify(text)}`);
  }
  expect(Math.min(seen.formatted, seen.refused)).toBeGreaterThan(250);
});
