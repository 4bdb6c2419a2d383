import { describe, expect, test } from 'vitest';
import {
  graphMermaid,
  graphSvg,
  graphText,
  interpolate,
  judge,
  outputSchema,
  parse,
  planOf,
  synthesisPrompt,
  variablesIn,
} from './index.js';

function workflowOf(text: string) {
  const { workflow, problems } = parse(text);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return workflow;
}
/** Returns one line per step: `name phase/stage <- needed steps`. */
const planned = (text: string): string[] => {
  const { steps } = planOf(workflowOf(text));
  return steps.map(({ id, phase, stage, needs }) =>
    `${id} ${phase}/${stage} <- ${needs.map((index) => steps[index]?.id).join(' ')}`.trimEnd(),
  );
};

describe('planOf', () => {
  test('starts a goal when the variables that it reads are set', () => {
    const text = `INPUT topic
GOAL one "About $topic" -> a
GOAL two "About $topic" -> b
GOAL three "About $a" -> c
AGENT four "About $b and $c" -> x
GOAL five "Put it together" -> d USING four`;
    expect(planned(text)).toEqual(['one 0/0 <-', 'two 0/0 <-', 'three 0/1 <- one', 'five 0/2 <- two three']);
  });

  test('starts a goal that replaces a variable after the goals that set or read the old value', () => {
    const text = `GOAL one "x" -> a
GOAL two "$a" -> b
GOAL three "$a" -> a
GOAL four "$a" -> c`;
    expect(planned(text)).toEqual(['one 0/0 <-', 'two 0/1 <- one', 'three 0/2 <- one two', 'four 0/3 <- three']);
  });

  test('overlaps nothing with a goal without outputs or with another RUN', () => {
    const text = `GOAL a "x" -> a1
GOAL b "x"
GOAL c "x" -> c1
GOAL d "$a1" -> d1
RUN first USING a, b, c
RUN second USING d, a`;
    expect(planned(text)).toEqual(['a 0/0 <-', 'b 1/1 <-', 'c 2/2 <-', 'd 3/3 <-', 'a#2 3/4 <- d']);
  });

  test('starts no later goal before a question is answered, but lets earlier goals go on', () => {
    const text = `GOAL a "x" -> a1
ASK "Go?" -> go
GOAL b "x" -> b1
GOAL c "x" -> c1 WHEN $b1 == $go`;
    expect(planned(text)).toEqual(['a 0/0 <-', 'go 0/0 <-', 'b 0/1 <- go', 'c 0/2 <- go b']);
  });

  test('treats the FOREACH item as a local variable, also in agents', () => {
    const { steps } = planOf(
      workflowOf(`GOAL a "x" -> parts: string[]
AGENT r "See $part"
GOAL b "All of $part" -> c FOREACH $part IN $parts USING r`),
    );
    expect(steps.map(({ reads }) => reads)).toEqual([[], ['parts']]);
  });
});

const VALUES = new Map<string, unknown>([
  ...Object.entries({
    text: 'a "b" $topic',
    list: ['x', 1],
    none: null,
    number: 4.5,
    yes: true,
    digits: '10',
    name: 'ann',
  }),
]);

test('interpolate inserts text once and unchanged, and other values as compact JSON', () => {
  expect(interpolate('$text|$list|$none|$number|$yes|$gone|$$text|$ 5|$5|$', VALUES)).toBe(
    'a "b" $topic|["x",1]||4.5|true|$gone|$text|$ 5|$5|$',
  );
  expect(interpolate('$name-based $names', VALUES)).toBe('ann-based $names');
  expect(variablesIn('$a $$b $c$a $constructor')).toEqual(['a', 'c', 'constructor']);
});

test.each([
  ['$name == "ann"', true],
  ['$name != "ann"', false],
  ['$name == $digits', false],
  ['$digits == 10', true],
  ['$digits > 9', true],
  ['$number <= 4.5', true],
  ['$number < $digits', true],
  ['$yes == true', true],
  ['$yes == "true"', true],
  ['$list == $list', true],
  ['$none == ""', false],
  ['$gone != "x"', true],
  ['$name > 1', null],
  ['$gone < 1', null],
])('judges %s as %s', (condition, holds) => {
  const { workflow } = parse(`GOAL a "x" WHEN ${condition}`);
  const [goal] = workflow.goals;
  if (!goal?.when) throw new Error('it has a condition');
  const verdict = judge(goal.when, VALUES);
  expect(verdict.ok ? verdict.holds : null).toBe(holds);
});

test('outputSchema requires every output with its type', () => {
  const [goal] = workflowOf('GOAL a "x" -> any, score: number, names: string[], verdict: "yes" | "no"').goals;
  expect(outputSchema(goal?.kind === 'goal' ? goal.outputs : [])).toEqual({
    type: 'object',
    properties: {
      any: {},
      score: { type: 'number' },
      names: { type: 'array', items: { type: 'string' } },
      verdict: { enum: ['yes', 'no'] },
    },
    required: ['any', 'score', 'names', 'verdict'],
  });
  expect(outputSchema([])).toBeNull();
});

test('synthesisPrompt appends the documented text to the prompt of the goal', () => {
  const output = (name: string) => ({ name, type: 'any', is_list: false, choices: [] }) as const;
  const contributions = [
    {
      agent: 'researcher',
      outputs: [output('findings'), output('sources')],
      result: { findings: 'much', sources: ['a', 1] },
    },
    { agent: 'critic', outputs: [], result: 'I have doubts.\n' },
  ];
  const prompt = synthesisPrompt('Analyze capitalism', contributions, [output('summary'), output('recommendations')]);
  expect(prompt).toBe(`Analyze capitalism

You have received outputs from multiple agents:

## researcher
- findings: much
- sources: ["a",1]

## critic
I have doubts.


Synthesize these into:
- summary
- recommendations

Respond as JSON.`);
  expect(synthesisPrompt('Go', [], [])).not.toContain('JSON');
});

describe('the graph of a workflow', () => {
  const workflow = workflowOf(`NAME "a <b> & c"
INPUT topic
AGENT reader "Read $topic" -> notes
GOAL one "About $topic" -> a USING reader
GOAL two "About $topic" -> b
ASK "Go?" -> go: "yes" | "no"
GOAL three "About $a and $b" -> c WHEN $go == "yes"
GOAL end "Tell $c"
RUN all USING one, two, go, three, end`);

  test('as text lists by stage what may run at the same time', () => {
    expect(graphText(workflow)).toBe(`a <b> & c ($topic)
stage 1
  one ($topic) -> a
    reader ($topic) -> notes
  two ($topic) -> b
  go asks you -> go: "yes" | "no"
stage 2
  three ($a, $b) -> c when $go == "yes"
stage 3
  end ($c)
`);
  });

  test('as Mermaid has an edge per passed variable, and dotted edges for order alone', () => {
    expect(graphMermaid(workflow)).toBe(`---
title: "a <b> & c"
---
flowchart TD
  step1["one<br>reader"]
  step2["two"]
  step3{{"go"}}
  step4["three<br>when $go == #34;yes#34;"]
  step5["end"]
  step1 -->|"a"| step4
  step2 -->|"b"| step4
  step3 -->|"go"| step4
  step4 -->|"c"| step5
`);
  });

  test('as SVG has a box per goal within its bounds, and escapes XML', () => {
    const svg = graphSvg(workflow);
    expect(svg).toContain('<title>a &lt;b&gt; &amp; c</title>');
    expect(svg.match(/<rect /g)).toHaveLength(5);
    expect(svg.match(/<path class="edge"/g)).toHaveLength(4);
    const [, width = 0, height = 0] = (/viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? []).map(Number);
    for (const [, x, y, w, h] of svg.matchAll(
      /<rect class="[^"]+" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
    )) {
      expect(Number(x) + Number(w)).toBeLessThan(width);
      expect(Number(y) + Number(h)).toBeLessThan(height);
    }
  });

  test('joins edges if several goals must end before several others start', () => {
    const { goals, ...rest } = workflowOf(
      'GOAL a "x" -> a1\nGOAL b "x" -> b1\nGOAL c "x" -> c1\nGOAL d "x" -> d1\nRUN x USING a, b\nRUN y USING c, d',
    );
    const edges = graphMermaid({ goals, ...rest })
      .split('\n')
      .filter((line) => line.includes('-.->'));
    expect(edges).toEqual(['  step1 -.-> join1', '  step2 -.-> join1', '  join1 -.-> step3', '  join1 -.-> step4']);
  });
});
