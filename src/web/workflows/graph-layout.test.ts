import { expect, test } from 'vitest';
import { playWorkflow } from '../../../test/harness/play-workflow.js';
import { recordOf } from '../../workflow/index.js';
import { BOX, layOutGraph } from './graph-layout.js';

const TEXT = `GOAL first "Start" -> score: number, text
GOAL left "Use $score" -> a
GOAL right "Use $text" -> b
ASK sure "Go on with $a and $b?" -> sure: "yes" | "no"
GOAL last "End" WHEN $sure == "yes"`;

function layout(isNarrow: boolean) {
  const play = playWorkflow(TEXT);
  play.end('first', { score: 7, text: 'a long text that no edge of a graph can show' });
  const { head } = play.progress;
  return layOutGraph(head.workflow, recordOf(play.progress), isNarrow);
}

test('puts stages into columns, or rows in a narrow window, without overlaps', () => {
  for (const isNarrow of [false, true]) {
    const { boxes } = layout(isNarrow);
    const along = (id: string): number => {
      const box = boxes.find(({ stepId }) => stepId === id);
      return (isNarrow ? box?.y : box?.x) ?? Number.NaN;
    };
    expect(along('first')).toBeLessThan(along('left'));
    expect(along('left')).toBe(along('right'));
    expect(along('right')).toBeLessThan(along('sure'));
    expect(along('sure')).toBeLessThan(along('last'));
    expect(new Set(boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(boxes.length);
  }
});

test('labels an edge with its variable, and with the value once it is known', () => {
  const { boxes, edges } = layout(false);
  const nameOf = (id: string) => boxes.find((box) => box.id === id)?.stepId;
  const labels = Object.fromEntries(edges.map(({ from, to, label }) => [`${nameOf(from)} > ${nameOf(to)}`, label]));
  expect(labels).toMatchObject({
    'first > left': ['score = 7'],
    'first > right': ['text = a long text …'],
    'left > sure': ['a'],
    'right > sure': ['b'],
  });
});

test('gives each variable of an edge a line, and counts those that have no room', () => {
  const labelOf = (names: string) => {
    const { workflow } = playWorkflow(
      `GOAL first "Start" -> ${names}\nGOAL last "Use $${names.replaceAll(', ', ' $')}"`,
    ).progress.head;
    return layOutGraph(workflow, null, false).edges.map(({ label }) => label);
  };
  expect(labelOf('a, b, c')).toEqual([['a', 'b', 'c']]);
  expect(labelOf('a, b, c, d')).toEqual([['a', 'b', 'and 2 more']]);
});

test('shows no states and no values before the workflow runs', () => {
  const { boxes, edges } = layOutGraph(playWorkflow(TEXT).progress.head.workflow, null, false);
  expect(boxes.every(({ step }) => step === null)).toBe(true);
  expect(edges.some(({ isKnown, isLive }) => isKnown || isLive)).toBe(false);
});

test('leads an edge that passes a stage around the boxes of that stage, and each on a way of its own', () => {
  const { workflow } = playWorkflow(`GOAL first "Start" -> a, b
GOAL second "Use $a" -> c
GOAL third "Use $a and $c" -> d
GOAL last "Use $b and $d"`).progress.head;
  for (const isNarrow of [false, true]) {
    const { boxes, edges } = layOutGraph(workflow, null, isNarrow);
    const ends = boxes.map(({ x, y }) => (isNarrow ? x + BOX.width : y + BOX.height));
    const lanes = edges.flatMap(({ lane }) => (lane === null ? [] : [lane]));
    expect(lanes.length).toBe(2);
    expect(new Set(lanes).size).toBe(2);
    expect(Math.min(...lanes)).toBeGreaterThan(Math.max(...ends));
  }
});
