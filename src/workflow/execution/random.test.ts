/**
 * Runs random workflows whose runs end in random order and with random results, in a daemon that is killed after each
 * step.
 */

import { expect, test } from 'vitest';
import { playWorkflow, type WorkflowPlay } from '../../../test/harness/play-workflow.js';
import { createRandom, givenSeed, type Random } from '../../../test/harness/random.js';
import { tries } from '../../../test/harness/tries.js';
import { isWorkflowOver } from '../../protocol/index.js';
import { pendingEffects, recordOf, type WorkflowEffect } from '../index.js';

// the list is not empty
const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)] as T;
const some = (random: Random, one: string): string => (random.below(3) === 0 ? one : '');

/** Generates goals that read earlier variables, some of them with agents, lists, conditions, questions. */
function makeText(random: Random): string {
  const made: string[] = ['v'];
  const lists: string[] = [];
  const lines = ['INPUT v DEFAULT "1"', 'AGENT one "One $v" -> a RETRY 1', 'AGENT two "Two $v"'];
  for (let n = 0; n < 2 + random.below(6); n++) {
    const read = pick(random, made);
    const when = some(random, ` WHEN $${pick(random, made)} == "1"`);
    if (random.below(6) === 0) lines.push(`ASK q${n} "$${read}?" -> a${n}: "1" | "2"${when}`);
    else {
      const using = some(random, ` USING ${pick(random, ['one', 'two', 'one, two'])}`);
      const each = lists.length > 0 ? some(random, ` FOREACH $item IN $${pick(random, lists)}`) : '';
      const output = random.below(5) === 0 ? '' : ` -> a${n}`;
      if (output !== '') lists.push(`a${n}`);
      lines.push(`GOAL g${n} "Read $${read}"${output}${using}${each}${when}${some(random, ' RETRY 1')}`);
    }
    if (lines.at(-1)?.includes('->')) made.push(`a${n}`);
  }
  return lines.join('\n');
}

const VALUES: readonly unknown[] = ['1', '2', 1, null, [], ['1'], ['1', '2', '3'], { x: 1 }];

/** Applies one random input to the workflow. */
function happen(play: WorkflowPlay, random: Random): void {
  const request = play.running[random.below(play.running.length)];
  const ask = play.asking[0];
  if (random.below(60) === 0) play.take({ kind: 'cancelled' });
  else if (ask && (!request || random.below(2) === 0)) {
    const { itemId } = ask;
    const answer = pick(random, ['1', '2', null]);
    if (random.below(10) === 0) play.take({ kind: 'timed_out', itemId });
    else play.take({ kind: 'answered', itemId, answer, by: 'cli' });
  } else if (request && random.below(15) === 0) {
    play.end(request.stepId, new Error('failed'), request.agent);
  } else if (request) {
    const [output] = request.outputs;
    play.end(request.stepId, output ? { [output.name]: pick(random, VALUES) } : 'text', request.agent);
  } else play.take({ kind: 'resumed', from: null, jobs: 1 + random.below(3) });
}

const idOf = (effect: WorkflowEffect): string =>
  effect.kind === 'run' ? effect.request.runId : effect.kind === 'cancel_run' ? effect.runId : effect.itemId;

test('every workflow ends with a reason, starts each run once, and knows its pending effects', () => {
  const random = createRandom(givenSeed());
  const ends = new Map<string, number>();
  for (let left = tries(400).numRuns; left > 0; left--) {
    const text = makeText(random);
    const play = playWorkflow(text, { jobs: 1 + random.below(4), inputs: { v: pick(random, ['1', '2']) } });
    let resumes = 0;
    for (let happened = 0; ; happened++) {
      expect(happened, text).toBeLessThan(500);
      const { head, steps } = play.progress;
      // A new daemon must repeat exactly the effects that are not finished.
      const started = pendingEffects(play.progress).filter(({ kind }) => kind === 'run' || kind === 'ask');
      const isOver = isWorkflowOver(head);
      if (isOver) {
        expect(started, text).toEqual([]);
        ends.set(head.state, (ends.get(head.state) ?? 0) + 1);
        if (head.state === 'completed' || resumes++ === 3) break;
        expect(head.error, text).not.toBeNull();
        play.take({ kind: 'resumed', from: null, jobs: 1 + random.below(3) });
        continue;
      }
      expect(started.length, text).toBeGreaterThan(0);
      const ids = started.map(idOf);
      const known = [...play.running.map(({ runId }) => runId), ...play.asking.map(({ itemId }) => itemId)];
      expect(known, text).toEqual(expect.arrayContaining(ids));
      expect(
        steps.some(({ state }) => state === 'running' || state === 'asking'),
        text,
      ).toBe(true);
      happen(play, random);
    }
    const starts = play.effects.filter(({ kind }) => kind === 'run' || kind === 'ask').map(idOf);
    expect(new Set(starts).size, text).toBe(starts.length);
    if (play.progress.head.state !== 'completed') continue;
    for (const step of recordOf(play.progress).steps) expect(step.state, text).toMatch(/^(completed|skipped)$/);
  }
  for (const state of ['completed', 'failed', 'cancelled']) expect(ends.get(state) ?? 0, state).toBeGreaterThan(10);
});
