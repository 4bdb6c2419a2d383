import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { readGrammar } from '../../test/harness/grammar.js';
import { createRandom, givenSeed } from '../../test/harness/random.js';
import { tries } from '../../test/harness/tries.js';
import { parse, planOf, rehearsalText, rehearse, takeInputs } from './index.js';

function rehearsed(text: string, inputs: Readonly<Record<string, string>> = {}, jobs = 1) {
  const { workflow, problems } = parse(text);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const taken = takeInputs(workflow, inputs);
  expect(taken.problems).toEqual([]);
  return rehearse(workflow, taken.values, jobs);
}

const REVIEW = `NAME weekly
INPUT branch
AGENT security "Find security problems in $branch" -> issues: string[] WITH strict RETRY 2 ON label:gpu IN "src/x"
AGENT style "Find what is hard to read"
GOAL review "Review $branch for $$5" -> summary, verdict: "yes" | "no" USING security, style TIMEOUT 5m BUDGET 2.50
ASK "Merge $branch? $summary" -> merge: "yes" | "no" WHEN $verdict == "yes" TIMEOUT 90s
GOAL each "See $part of $summary" -> note FOREACH $part IN $summary REQUIRES "fast"`;

describe('a rehearsal', () => {
  test('inserts INPUTs into prompts, and lists the variables that are set later', () => {
    const { steps, inputs } = rehearsed(REVIEW, { branch: '$summary' });
    expect(inputs).toEqual({ branch: '$summary' });
    const [review, merge, each] = steps;
    expect(review).toMatchObject({
      agents: [
        { name: 'security', prompt: 'Find security problems in $summary', later: [], blueprint: 'strict', retry: 2 },
        { name: 'style', prompt: 'Find what is hard to read', outputs: [] },
      ],
      later: [],
      timeout_ms: 300_000,
      budget: 2.5,
    });
    expect(merge).toMatchObject({ kind: 'ask', question: 'Merge $summary? $summary', later: ['summary'] });
    expect(each).toMatchObject({ prompt: 'See $part of $summary', later: ['part', 'summary'], profile: 'fast' });
  });

  test('shows the prompt of the synthesis, with … for unknown values', () => {
    const [review] = rehearsed(REVIEW, { branch: 'main' }).steps;
    expect(review).toMatchObject({
      prompt: `Review main for $5

You have received outputs from multiple agents:

## security
- issues: …

## style
…

Synthesize these into:
- summary
- verdict

Respond as JSON.`,
    });
  });

  test('lists every step in the order of the plan for the given number of jobs', () => {
    const text = 'GOAL a "x" -> a1\nGOAL b "x" -> b1\nGOAL c "$a1" -> c1\nRUN one USING a, b, c\nRUN two USING a';
    const stages = (jobs: number) =>
      rehearsed(text, {}, jobs).steps.map(({ id, stage, needs }) => `${id} ${stage} <- ${needs.join(' ')}`.trimEnd());
    expect(stages(1)).toEqual(['a 0 <-', 'b 1 <-', 'c 2 <- a', 'a#2 3 <-']);
    expect(stages(2)).toEqual(['a 0 <-', 'b 0 <-', 'c 1 <- a', 'a#2 2 <-']);
  });

  const callsOf = (text: string, inputs = {}) => rehearsed(text, inputs).calls;
  test('counts the minimum and maximum calls of agents, with syntheses, retries and corrections', () => {
    expect(callsOf('GOAL a "x"')).toEqual({ min: 1, max: 1 });
    expect(callsOf('GOAL a "x" RETRY 3')).toEqual({ min: 1, max: 4 });
    expect(callsOf('GOAL a "x" -> b')).toEqual({ min: 1, max: 2 });
    expect(callsOf('GOAL a "x" -> b RETRY 3')).toEqual({ min: 1, max: 8 });
    expect(callsOf('GOAL a "x" WITH b')).toEqual({ min: 1, max: 2 });
    expect(callsOf('AGENT b "x" RETRY 1\nAGENT c "x"\nGOAL a "x" -> d USING b, c')).toEqual({ min: 3, max: 5 });
    expect(callsOf('ASK "x" -> b')).toEqual({ min: 0, max: 0 });
  });

  test('counts at least no call for a conditional goal, and no maximum for a FOREACH', () => {
    expect(callsOf('GOAL a "x" -> b\nGOAL c "x" WHEN $b == "d"')).toEqual({ min: 1, max: 3 });
    const { calls, steps } = rehearsed('GOAL a "x" -> b\nGOAL c "x" -> d FOREACH $e IN $b');
    expect(calls).toEqual({ min: 1, max: null });
    expect(steps[1]).toMatchObject({ calls: { min: 0, max: null }, once: { min: 1, max: 2 } });
  });

  test('decides a WHEN that reads only INPUTs, or explains why it cannot', () => {
    const text = 'INPUT mode\nINPUT other DEFAULT "deep"\nGOAL a "x" WHEN $mode == $other\nGOAL b "x" WHEN $mode > 2';
    const of = (mode: string) =>
      rehearsed(text, { mode }).steps.map(({ when, calls }) => [when?.holds, when?.problem, calls.min, calls.max]);
    const problem = '$mode is not a number ("deep"), and > compares numbers';
    expect(of('deep')).toEqual([
      [true, null, 1, 1],
      [null, problem, 0, 1],
    ]);
    expect(of('3')).toEqual([
      [false, null, 0, 0],
      [true, null, 1, 1],
    ]);
  });
});

describe('the text of a rehearsal', () => {
  test('does not mention the order of a single step', () => {
    expect(rehearsalText(rehearsed('GOAL a "x"'))).toMatch(/^workflow: 1 step; 1 call of agents\n/);
  });

  test('lists each step with its prompts and its number of calls', () => {
    expect(
      rehearsalText(rehearsed(REVIEW, { branch: 'fix-login' })),
    ).toBe(`weekly: 3 steps, one after the other; at least 3 calls of agents
  $branch = fix-login

1. review -> summary, verdict: "yes" | "no"
   3 to 9 calls, TIMEOUT 5m, BUDGET 2.5
   security -> issues: string[], WITH strict, RETRY 2, ON label:gpu IN "src/x"
     | Find security problems in fix-login
   style
     | Find what is hard to read
   synthesis
     | Review fix-login for $5
     |
     | You have received outputs from multiple agents:
     | … (171 characters)

2. merge asks you -> merge: "yes" | "no"
   TIMEOUT 90s
   when $verdict == "yes"
     | Merge fix-login? $summary

3. each -> note
   1 to 2 calls for each $part in $summary, REQUIRES "fast"
     | See $part of $summary

What stands as $name is known when the workflow runs.
Fewest calls: nothing fails, no open WHEN holds, lists are empty.
Most calls: every RETRY is used, and each result is corrected once.
`);
  });

  test('groups steps that may run at the same time', () => {
    const text = 'GOAL a "x" -> a1\nGOAL b "$a1"\nGOAL c "x" -> c1\nGOAL d "x" -> d1 WHEN $c1 == "x"\nGOAL e "x" -> e1';
    const lines = rehearsalText(rehearsed(text, {}, 4)).split('\n');
    expect(lines.filter((line) => /^(stage|\d)/.test(line))).toEqual([
      'stage 1',
      '1. a -> a1',
      'stage 2',
      '2. b',
      'stage 3',
      '3. c -> c1',
      '5. e -> e1',
      'stage 4',
      '4. d -> d1',
    ]);
  });

  test('shows the first rows of a long prompt, or all of it', () => {
    const prompt = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    const rehearsal = rehearsed(`GOAL a "${prompt}\\nend"`);
    const rowsOf = (isFull: boolean) =>
      rehearsalText(rehearsal, isFull)
        .split('\n')
        .filter((line) => line.startsWith('     | '))
        .map((line) => line.slice(7));
    expect(rowsOf(false)).toHaveLength(4);
    expect(rowsOf(false)[3]).toBe(`… (${prompt.length + 4} characters)`);
    expect(rowsOf(true).join(' ')).toBe(`${prompt} end`);
  });
});

/** Null means a goal that may run together with others. */
const RULES = ['goal', 'goal', 'agent', 'ask', 'input', 'title', null, null];

test('for random files: shows each step once within the width and without control characters', () => {
  const grammar = readGrammar(readFileSync(join(import.meta.dirname, '../../protocol/agentfile.ebnf'), 'utf8'));
  const random = createRandom(givenSeed() + 3);
  const seen = { steps: 0, overlapping: 0 };
  for (let left = tries(250).numRuns; left > 0; left--) {
    const parts = Array.from({ length: 1 + random.below(8) }, (_, index) => {
      const rule = RULES[random.below(RULES.length)];
      return rule ? grammar.sentence(rule, random) : `GOAL own${index} "About $x" -> y${index}`;
    });
    const names = parse(parts.join('\n')).workflow.goals.map(({ name }) => name);
    const runs = Array.from(
      { length: names.length > 0 ? random.below(3) : 0 },
      (_, run) => `RUN r${run} USING ${names}`,
    );
    const text = [...parts, ...runs].join('\n');
    const { workflow } = parse(text, { readFile: (path) => ({ text: `of ${path} $x \u001b[31m` }) });
    const given = Object.fromEntries(workflow.inputs.map(({ name }) => [name, `\u202e\u0007${name}\n日本`]));
    const { values } = takeInputs(workflow, given);
    const jobs = 1 + random.below(3);
    const rehearsal = rehearse(workflow, values, jobs);
    const { steps } = planOf(workflow);
    expect(
      rehearsal.steps.map(({ id }) => id),
      text,
    ).toEqual(steps.map(({ id }) => id));
    const shown = rehearsalText(rehearsal, random.below(2) === 0);
    const numbers = shown
      .split('\n')
      .slice(1)
      .flatMap((line) => /^(\d+)\. /.exec(line)?.[1] ?? []);
    expect(
      numbers.map(Number).sort((a, b) => a - b),
      text,
    ).toEqual(steps.map((_, index) => index + 1));
    expect(shown, text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    const wide = shown.split('\n').filter((line) => stringWidth(line) > 80);
    expect(wide, text).toEqual([]);
    seen.steps += steps.length;
    if (jobs > 1 && new Set(rehearsal.steps.map(({ stage }) => stage)).size < steps.length) seen.overlapping++;
  }
  expect(seen.steps).toBeGreaterThan(200);
  expect(seen.overlapping).toBeGreaterThan(5);
});
