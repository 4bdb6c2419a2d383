import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { MAX_HELD, MAX_UNCONFIRMED, TRANSCRIPT_LOST_MS, TRANSCRIPT_WAIT_MS } from '../bounds.js';
import type { UnplacedFinding } from '../findings.js';
import { readText } from '../grammar/grammar.js';
import { Ledger } from './ledger.js';
import { Merging } from './merging.js';

const question = (text: string): string =>
  `\`\`\`orchestrator-message\n${JSON.stringify({ type: 'QUESTION', data: { question: text } })}\n\`\`\`\n`;
/** The same message as a screen shows it: with rendered markdown, and without the blanks at wraps. */
const damaged = (text: string): string => question(text.replace(/[_*` ]/g, ''));

/** The ears of a session without the session. Collects the findings. */
class Ears {
  ledger: Ledger;
  merging: Merging;
  readonly reported: UnplacedFinding[] = [];
  time = 0;
  #position = 0;

  constructor() {
    this.ledger = new Ledger();
    this.merging = this.#merge();
  }

  #merge(state?: unknown): Merging {
    const find = (reported: UnplacedFinding): void => void this.reported.push(reported);
    return new Merging({ ledger: this.ledger, find, agentSessionId: () => null }, state);
  }

  /** Continues from a checkpoint. */
  restart(): void {
    const state = JSON.parse(JSON.stringify([this.ledger.state(), this.merging.state()])) as [unknown, unknown];
    this.ledger = new Ledger(state[0]);
    this.merging = this.#merge(state[1]);
  }

  terminal(text: string, ear: 'lines' | 'screen' = 'screen', isExact = true): void {
    for (const read of readText(text)) {
      this.#position += 10;
      const utterance = isExact ? read : { ...read, exact: false as const };
      const placed = { ...utterance, from: this.#position, to: this.#position + 10 };
      const judged = this.ledger.judge(utterance, ear);
      if (judged) this.merging.hearTerminal(placed, judged, ear, this.time);
    }
  }

  transcript(text: string): void {
    this.#position += 10;
    this.merging.written();
    for (const utterance of readText(text)) {
      const judged = this.ledger.judge(utterance, 'transcript');
      const place = { from: this.#position, to: this.#position + 1, line: utterance.line };
      if (judged) this.merging.hearTranscript(utterance, judged, place, this.time);
    }
    this.merging.spoken();
  }

  wait(ms: number): void {
    this.time += ms;
    this.merging.advance(this.time);
  }

  enter(): void {
    this.merging.release();
    this.merging.beginTurn('unknown');
    this.ledger.beginTurn();
  }

  /** Short forms of all findings: turn.ordinal, ear and text of messages; corrections with `→`; reasons; health. */
  get short(): string[] {
    return this.reported.map((reported) => {
      if (reported.kind === 'message')
        return `${reported.turn}.${reported.ordinal} ${reported.ear}: ${String(reported.message.data['question'])}`;
      if (reported.kind === 'corrected')
        return `${reported.turn}.${reported.ordinal} → ${String(reported.message.data['question'])}`;
      if (reported.kind === 'rejected') return `${reported.ear}: ${reported.reason}`;
      return reported.kind === 'transcript' ? reported.health : reported.kind;
    });
  }
}

function healthy(): Ears {
  const ears = new Ears();
  ears.merging.written();
  ears.reported.length = 0;
  return ears;
}

describe('while the transcript is healthy', () => {
  it('a message on the screen waits for the transcript for TRANSCRIPT_WAIT_MS', () => {
    const ears = healthy();
    ears.time = 1000;
    ears.terminal(damaged('a'));
    expect(ears.merging.deadline).toBe(1000 + TRANSCRIPT_WAIT_MS);
    ears.wait(TRANSCRIPT_WAIT_MS - 1);
    expect(ears.short).toEqual([]);
    ears.wait(1);
    expect(ears.short).toEqual(['0.1 screen: a']);
  });
  it('an old message on the screen does not count while the transcript has words of the turn', () => {
    const ears = healthy();
    ears.transcript(question('a'));
    ears.enter();
    ears.wait(60_000); // too late for a copy of the first one
    ears.merging.pass(1);
    ears.transcript(question('b'));
    ears.terminal(question('a'));
    ears.enter();
    expect(ears.short).toEqual(['0.1 transcript: a', '1.1 transcript: b']);
  });
  it('an old message that is said again counts as soon as the transcript has it', () => {
    const ears = healthy();
    ears.transcript(question('a'));
    ears.enter();
    ears.wait(60_000);
    ears.merging.pass(1);
    ears.transcript(question('b'));
    ears.terminal(question('a'));
    ears.transcript(question('a'));
    expect(ears.short).toEqual(['0.1 transcript: a', '1.1 transcript: b', '1.2 transcript: a']);
  });
  it('the text of the transcript replaces that of the screen', () => {
    const ears = healthy();
    ears.terminal(damaged('__a__ b'));
    ears.transcript(question('__a__ b'));
    ears.wait(60_000);
    expect(ears.short).toEqual(['0.1 transcript: __a__ b']);
    expect(ears.merging.deadline).toBe(null);
  });
  it('a screen message that does not parse is reported only if the transcript is lost', () => {
    const drawn = '```orchestrator-message\n{"type": "QUESTION", "data": {"question": "Is \\(a₁)/(b²) right?"}}\n```\n';
    const ears = healthy();
    ears.transcript(question('Is \\\\frac{a_1}{b^2} right?'));
    ears.terminal(drawn);
    ears.wait(TRANSCRIPT_WAIT_MS);
    ears.restart();
    ears.wait(60_000);
    expect(ears.short.filter((one) => one.startsWith('screen'))).toEqual([]);
    const lost = new Ears();
    lost.terminal(drawn);
    expect(lost.short).toEqual(['screen: json']);
  });
  it('the transcript corrects a message that was reported from the screen', () => {
    const ears = healthy();
    ears.terminal(damaged('__a__ b'));
    ears.wait(TRANSCRIPT_WAIT_MS);
    ears.enter();
    ears.transcript(question('__a__ b'));
    expect(ears.short).toEqual(['0.1 screen: ab', '0.1 → __a__ b']);
    expect(ears.reported[1]).toMatchObject({ kind: 'corrected', turn: 0, ordinal: 1, toldFrom: 10, ear: 'transcript' });
  });
  it('a part or a copy of a transcript message on the screen is not reported again', () => {
    const ears = healthy();
    const reported = (options: readonly string[]): string =>
      `\`\`\`orchestrator-message\n${JSON.stringify({ type: 'QUESTION', data: { question: 'Where shall I unpack it?', options } })}\n\`\`\`\n`;
    const all = reported(['a folder of its own', 'where the last one is', 'nowhere for now, I go on without it']);
    ears.terminal(all);
    ears.transcript(all);
    ears.restart();
    ears.terminal(reported([]), 'screen', false);
    ears.terminal(all);
    ears.enter();
    ears.terminal(reported(['a folder of its own']), 'screen', false);
    ears.wait(5 * TRANSCRIPT_WAIT_MS);
    ears.enter();
    expect(ears.short).toEqual(['0.1 transcript: Where shall I unpack it?']);
  });
  it('a partial message on the screen is dropped when the transcript has the whole one', () => {
    const ears = healthy();
    ears.terminal(question('Where shall I'), 'screen', false);
    ears.terminal(question('Where shall I unpack'), 'screen', false);
    ears.transcript(question('Where shall I unpack it?'));
    ears.wait(5 * TRANSCRIPT_WAIT_MS);
    expect(ears.short).toEqual(['0.1 transcript: Where shall I unpack it?']);
  });
  it('an inexact copy of an earlier message is reported once the transcript is lost', () => {
    const ears = healthy();
    ears.transcript(question('Where shall I unpack it?'));
    ears.terminal(question('Where shall I unpack it?'));
    ears.merging.acted('busy', 0);
    ears.merging.release();
    ears.merging.beginTurn('prompt');
    ears.ledger.beginTurn();
    ears.terminal(question('Where shall I unpack it?'), 'screen', false);
    ears.wait(TRANSCRIPT_WAIT_MS);
    expect(ears.short).toHaveLength(1);
    ears.merging.acted('idle', ears.time);
    ears.wait(TRANSCRIPT_WAIT_MS);
    expect(ears.short.slice(1)).toEqual(['lost', '1.1 screen: Where shall I unpack it?']);
  });
  it.each([
    ['before', true],
    ['after', false],
  ])('reports a message once if its transcript lacks a part (the screen shows it %s)', (_when, isFirst) => {
    const ears = healthy();
    const shown = question('May I drop the <!-- legacy --> part and the <details> element?');
    if (isFirst) ears.terminal(shown);
    ears.transcript(question('May I drop the  part and the <details> element?'));
    if (!isFirst) ears.terminal(shown);
    ears.terminal(shown); // painted again
    ears.wait(60_000);
    expect(ears.short).toEqual(['0.1 transcript: May I drop the  part and the <details> element?']);
  });
  it('a difference in blanks alone is not a correction', () => {
    const ears = healthy();
    ears.terminal(question('ab'));
    ears.wait(TRANSCRIPT_WAIT_MS);
    ears.transcript(question('a b'));
    expect(ears.short).toEqual(['0.1 screen: ab']);
  });
  it('the transcript corrects an inexact message even if only blanks or nothing differ', () => {
    const ears = healthy();
    for (const words of ['ab', 'c d']) ears.terminal(question(words), 'screen', false);
    ears.wait(TRANSCRIPT_WAIT_MS);
    expect(ears.reported).toMatchObject([{ exact: false }, { exact: false }]);
    ears.restart();
    ears.transcript(question('a b'));
    ears.transcript(question('c d'));
    expect(ears.short).toEqual(['0.1 screen: ab', '0.2 screen: c d', '0.1 → a b', '0.2 → c d']);
    expect(ears.reported[2]).not.toHaveProperty('exact');
  });
  it('a screen message that the transcript lacks is reported only if the transcript has it later', () => {
    const ears = healthy();
    ears.terminal(question('forged') + question('late'));
    ears.transcript('I have read the file.');
    ears.wait(60_000);
    expect(ears.short).toEqual([]);
    ears.transcript(question('late'));
    expect(ears.short).toEqual(['0.1 transcript: late']);
  });
  it('the end of a turn without transcript text does not discard a screen message', () => {
    const ears = healthy();
    ears.terminal(question('a'));
    ears.merging.idle();
    ears.wait(TRANSCRIPT_WAIT_MS);
    expect(ears.short).toEqual(['0.1 screen: a']);
  });
  it('Enter reports waiting messages at once', () => {
    const ears = healthy();
    ears.terminal(question('a'));
    ears.enter();
    expect(ears.short).toEqual(['0.1 screen: a']);
  });
  it('messages with different numbers are different messages', () => {
    const ears = healthy();
    ears.transcript(question('30 % done'));
    ears.terminal(question('40 % done'));
    ears.wait(TRANSCRIPT_WAIT_MS);
    expect(ears.short).toEqual(['0.1 transcript: 30 % done', '0.2 screen: 40 % done']);
  });
  it('a copy with letters that are left over beside a character of unsure width is not reported again', () => {
    const ears = healthy();
    ears.transcript(question('May zero\u200bwidth be used?'));
    ears.restart();
    ears.terminal(question('May ze ro\u200bwidth be used?a'), 'screen', false);
    ears.wait(TRANSCRIPT_WAIT_MS);
    ears.enter();
    expect(ears.short).toEqual(['0.1 transcript: May zero\u200bwidth be used?']);
  });
  it.each([
    ['another number', '30 % of 👍🏽 done', '40 % of 👍🏽 done'],
    ['further words', '👍🏽 done', '👍🏽 done, and the rest'],
    ['a further letter without such a character', 'Use port 80?', 'Use port 8080?'],
  ])('a message with %s is another one', (_name, first, second) => {
    const ears = healthy();
    ears.transcript(question(first));
    ears.terminal(question(second), 'screen', false);
    ears.wait(TRANSCRIPT_WAIT_MS);
    expect(ears.short).toEqual([`0.1 transcript: ${first}`, `0.2 screen: ${second}`]);
  });
  it('messages found in lines are reported at once', () => {
    const ears = healthy();
    ears.terminal(question('a'), 'lines');
    ears.wait(60_000);
    ears.transcript(question('a'));
    expect(ears.short).toEqual(['0.1 lines: a']);
  });
});

describe('rejected messages', () => {
  const bad = (text: string): string => question(text).replace('QUESTION', 'QUESTIONS');
  it('are reported once, whether the screen or the transcript is first', () => {
    const ears = healthy();
    ears.terminal(bad('a'));
    ears.transcript(bad('`a`'));
    ears.transcript(bad('b'));
    ears.terminal(bad('b'));
    ears.wait(60_000);
    expect(ears.short).toEqual(['transcript: unknown_type', 'transcript: unknown_type']);
  });
  it('are dropped if the transcript has the valid message', () => {
    const ears = healthy();
    const [exact, broken] = [question('say `a`'), question('say a').replace('"say', '"say"')];
    ears.terminal(broken);
    ears.transcript(exact + exact);
    ears.terminal(broken);
    ears.wait(60_000);
    expect(ears.short).toEqual(['0.1 transcript: say `a`', '0.2 transcript: say `a`']);
  });
  it('of the transcript win over a valid message of the screen', () => {
    const ears = healthy();
    ears.transcript(question('a').replace('"a"', '"a\\q"'));
    ears.terminal(question('aq'));
    ears.wait(60_000);
    expect(ears.short).toEqual(['transcript: json']);
  });
});

describe('transcript health', () => {
  it('is lost without a counterpart to screen messages, and recovers when both agree', () => {
    const ears = healthy();
    ears.terminal(question('a'));
    ears.wait(TRANSCRIPT_WAIT_MS);
    expect(ears.merging.deadline).toBe(TRANSCRIPT_LOST_MS);
    ears.wait(TRANSCRIPT_LOST_MS - TRANSCRIPT_WAIT_MS);
    ears.terminal(question('b'));
    ears.transcript(question('b'));
    ears.terminal(question('c'));
    ears.wait(60_000);
    expect(ears.short).toEqual(['0.1 screen: a', 'lost', '0.2 screen: b', 'healthy', '0.3 screen: c', 'lost']);
  });
  it('ignores messages from lines and from before the transcript', () => {
    const ears = new Ears();
    ears.terminal(question('a'));
    ears.transcript(question('b'));
    ears.terminal(question('c'), 'lines');
    ears.wait(60_000);
    expect(ears.merging.health).toBe('healthy');
    expect(ears.merging.deadline).toBe(null);
  });
});

describe('turns', () => {
  it('that the transcript has passed do not affect later ones', () => {
    const ears = new Ears();
    ears.enter();
    ears.terminal(question('a'));
    ears.enter();
    ears.transcript('');
    ears.merging.pass(2);
    ears.transcript(question('a'));
    expect(ears.short).toEqual(['1.1 screen: a', 'healthy', '2.1 transcript: a']);
  });
  it('that ended long ago do not affect the screen', () => {
    const ears = healthy();
    ears.transcript(question('a'));
    ears.enter();
    ears.wait(TRANSCRIPT_LOST_MS + 1);
    ears.terminal(question('a'));
    ears.wait(TRANSCRIPT_WAIT_MS);
    expect(ears.short).toEqual(['0.1 transcript: a', '1.1 screen: a']);
  });
});

it('keeps a limited number of messages', () => {
  const ears = healthy();
  for (let at = 0; at < MAX_HELD + 10; at++) ears.terminal(question(`a${at}`));
  expect(ears.short).toHaveLength(10);
  for (let at = 0; at < MAX_UNCONFIRMED + 10; at++) {
    ears.transcript(question(`b${at} ${'long '.repeat(2000)}`));
    ears.terminal(question(`c${at} ${'long '.repeat(2000)}`));
  }
  expect(JSON.stringify(ears.merging.state()).length).toBeLessThan(2e6);
});

describe('any order of events', () => {
  const texts = ['which `__init__`?', 'which port?', 'which port, or *which* socket?', '30 %', '40 %', 'go?'];
  const turns = fc.array(fc.array(fc.constantFrom(...texts), { maxLength: 4 }), { minLength: 1, maxLength: 4 });
  /** In these lists, a turn contains no text twice: a copy on the screen is then recognized without the transcript. */
  const turnsWithoutCopies = fc.array(
    fc.uniqueArray(fc.constantFrom(...texts), { maxLength: 4, selector: (text) => text.slice(0, 10) }),
    { minLength: 1, maxLength: 4 },
  );
  type Step = 'screen' | 'transcript' | 'enter' | 'wait' | 'restart' | 'prose' | 'idle';
  const stepsOf = (...others: Step[]): fc.Arbitrary<Step[]> =>
    fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom<Step>('screen', 'transcript') },
        { weight: 2, arbitrary: fc.constantFrom<Step>(...others) },
      ),
      { maxLength: 60 },
    );
  const waits = fc.constantFrom(100, 2000, 12_000);

  /**
   * Plays a conversation. The screen shows each message before the next Enter. The transcript may be a whole session
   * behind, or ahead of the screen in the current turn. `enter` is skipped while the screen has not shown the turn.
   */
  function play(
    said: readonly (readonly string[])[],
    order: readonly Step[],
    isHealthy: boolean,
    waitMs: number,
  ): Ears {
    const ears = isHealthy ? healthy() : new Ears();
    const all = said.flatMap((turn, at) => turn.map((text) => ({ text, turn: at })));
    let turn = 0;
    let shown = 0;
    let written = 0;
    const show = (): void => {
      const next = all[shown];
      if (next?.turn !== turn) return;
      shown++;
      ears.terminal(damaged(next.text));
    };
    const write = (): void => {
      const next = all[written];
      if (!next || next.turn > turn) return;
      written++;
      ears.transcript(question(next.text));
    };
    const enter = (): void => {
      while (all[shown]?.turn === turn) show();
      ears.enter();
      turn++;
    };
    for (const step of order) {
      if (step === 'screen') show();
      else if (step === 'transcript') write();
      else if (step === 'wait') ears.wait(waitMs);
      else if (step === 'restart') ears.restart();
      else if (step === 'prose') ears.transcript('I go on.');
      else if (step === 'idle') ears.merging.idle();
      else if (turn < said.length - 1) enter();
    }
    while (turn < said.length - 1) enter();
    while (shown < all.length) show();
    while (written < all.length) write();
    ears.wait(60_000);
    return ears;
  }

  /** The messages as reported in the end, after corrections. */
  function heard({ reported }: Ears): { place: string; text: string }[] {
    const messages: { place: string; text: string }[] = [];
    for (const finding of reported) {
      if (finding.kind !== 'message' && finding.kind !== 'corrected') continue;
      const place = `${finding.turn}.${finding.ordinal}`;
      const text = String(finding.message.data['question']).replace(/\s/g, '');
      if (finding.kind === 'message') messages.push({ place, text });
      else for (const one of messages) if (one.place === place) one.text = text;
    }
    return messages;
  }
  const bare = (said: readonly (readonly string[])[]): string[] => said.flat().map((text) => text.replace(/\s/g, ''));

  it('reports each message once and in order, finally with the text of the transcript', () => {
    const steps = stepsOf('enter', 'wait', 'restart');
    fc.assert(
      fc.property(turnsWithoutCopies, steps, fc.boolean(), waits, (said, order, isHealthy, waitMs) => {
        const messages = heard(play(said, order, isHealthy, waitMs));
        expect(messages.map(({ text }) => text)).toEqual(bare(said));
        expect(new Set(messages.map(({ place }) => place)).size).toBe(messages.length);
      }),
      tries(300),
    );
  });

  it('reports each message once, even if the transcript has other text and ends of turns', () => {
    const steps = stepsOf('enter', 'wait', 'restart', 'prose', 'idle');
    fc.assert(
      fc.property(turns, steps, fc.boolean(), waits, (said, order, isHealthy, waitMs) => {
        const messages = heard(play(said, order, isHealthy, waitMs)).map(({ text }) => text);
        expect(messages.sort()).toEqual(bare(said).sort());
      }),
      tries(300),
    );
  });
});
