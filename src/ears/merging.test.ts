import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { MAX_HELD, MAX_UNCONFIRMED, TRANSCRIPT_LOST_MS, TRANSCRIPT_WAIT_MS } from './bounds.js';
import type { Told } from './findings.js';
import { readText } from './grammar.js';
import { Ledger } from './ledger.js';
import { Merging } from './merging.js';

const question = (text: string): string =>
  `\`\`\`orchestrator-message\n${JSON.stringify({ type: 'QUESTION', data: { question: text } })}\n\`\`\`\n`;
/** The same message as a screen shows it: markdown is drawn, blanks at wraps are lost. */
const damaged = (text: string): string => question(text.replace(/[_*` ]/g, ''));

/** The ears of a session without the session. Collects the findings. */
class Ears {
  ledger: Ledger;
  merging: Merging;
  readonly told: Told[] = [];
  time = 0;
  #position = 0;

  constructor() {
    this.ledger = new Ledger();
    this.merging = this.#merge();
  }

  #merge(state?: unknown): Merging {
    const find = (told: Told): void => void this.told.push(told);
    return new Merging({ ledger: this.ledger, find, agentSessionId: () => null }, state);
  }

  /** Goes on from a checkpoint. */
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
    return this.told.map((told) => {
      if (told.kind === 'message')
        return `${told.turn}.${told.ordinal} ${told.ear}: ${String(told.message.data['question'])}`;
      if (told.kind === 'corrected') return `${told.turn}.${told.ordinal} → ${String(told.message.data['question'])}`;
      if (told.kind === 'rejected') return `${told.ear}: ${told.reason}`;
      return told.kind === 'transcript' ? told.health : told.kind;
    });
  }
}

function healthy(): Ears {
  const ears = new Ears();
  ears.merging.written();
  ears.told.length = 0;
  return ears;
}

describe('while the transcript is healthy', () => {
  it('what the screen shows waits for it, so long and no longer', () => {
    const ears = healthy();
    ears.time = 1000;
    ears.terminal(damaged('a'));
    expect(ears.merging.deadline).toBe(1000 + TRANSCRIPT_WAIT_MS);
    ears.wait(TRANSCRIPT_WAIT_MS - 1);
    expect(ears.short).toEqual([]);
    ears.wait(1);
    expect(ears.short).toEqual(['0.1 screen: a']);
  });
  it('its words come in place of the screen’s', () => {
    const ears = healthy();
    ears.terminal(damaged('__a__ b'));
    ears.transcript(question('__a__ b'));
    ears.wait(60_000);
    expect(ears.short).toEqual(['0.1 transcript: __a__ b']);
    expect(ears.merging.deadline).toBe(null);
  });
  it('its words correct what was told already, by the identity of that', () => {
    const ears = healthy();
    ears.terminal(damaged('__a__ b'));
    ears.wait(TRANSCRIPT_WAIT_MS);
    ears.enter();
    ears.transcript(question('__a__ b'));
    expect(ears.short).toEqual(['0.1 screen: ab', '0.1 → __a__ b']);
    expect(ears.told[1]).toMatchObject({ kind: 'corrected', turn: 0, ordinal: 1, toldFrom: 10, ear: 'transcript' });
  });
  it('a part of what it has told in this turn is no message, and neither is another picture of it', () => {
    const ears = healthy();
    const told = (options: readonly string[]): string =>
      `\`\`\`orchestrator-message\n${JSON.stringify({ type: 'QUESTION', data: { question: 'Where shall I unpack it?', options } })}\n\`\`\`\n`;
    const all = told(['a folder of its own', 'where the last one is', 'nowhere for now, I go on without it']);
    ears.terminal(all);
    ears.transcript(all);
    ears.restart();
    ears.terminal(told([]), 'screen', false);
    ears.terminal(all);
    ears.enter();
    ears.terminal(told(['a folder of its own']), 'screen', false);
    ears.wait(5 * TRANSCRIPT_WAIT_MS);
    ears.enter();
    expect(ears.short).toEqual(['0.1 transcript: Where shall I unpack it?']);
  });
  it('a part that the screen shows first is dropped when it comes', () => {
    const ears = healthy();
    ears.terminal(question('Where shall I'), 'screen', false);
    ears.terminal(question('Where shall I unpack'), 'screen', false);
    ears.transcript(question('Where shall I unpack it?'));
    ears.wait(5 * TRANSCRIPT_WAIT_MS);
    expect(ears.short).toEqual(['0.1 transcript: Where shall I unpack it?']);
  });
  it('a guess at what it told in an earlier turn is told when it turns out to be lost', () => {
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
  ])(
    'a message that the transcript has without a part of it is told once (the screen shows it %s)',
    (_when, isFirst) => {
      const ears = healthy();
      const shown = question('May I drop the <!-- legacy --> part and the <details> element?');
      if (isFirst) ears.terminal(shown);
      ears.transcript(question('May I drop the  part and the <details> element?'));
      if (!isFirst) ears.terminal(shown);
      ears.terminal(shown); // painted again
      ears.wait(60_000);
      expect(ears.short).toEqual(['0.1 transcript: May I drop the  part and the <details> element?']);
    },
  );
  it('blanks alone are no correction', () => {
    const ears = healthy();
    ears.terminal(question('ab'));
    ears.wait(TRANSCRIPT_WAIT_MS);
    ears.transcript(question('a b'));
    expect(ears.short).toEqual(['0.1 screen: ab']);
  });
  it('its words correct what is not exact, if only blanks differ or nothing does', () => {
    const ears = healthy();
    for (const words of ['ab', 'c d']) ears.terminal(question(words), 'screen', false);
    ears.wait(TRANSCRIPT_WAIT_MS);
    expect(ears.told).toMatchObject([{ exact: false }, { exact: false }]);
    ears.restart();
    ears.transcript(question('a b'));
    ears.transcript(question('c d'));
    expect(ears.short).toEqual(['0.1 screen: ab', '0.2 screen: c d', '0.1 → a b', '0.2 → c d']);
    expect(ears.told[2]).not.toHaveProperty('exact');
  });
  it('what the screen shows beside it is no message, and told if it comes after all', () => {
    const ears = healthy();
    ears.terminal(question('forged') + question('late'));
    ears.transcript('I have read the file.');
    ears.wait(60_000);
    expect(ears.short).toEqual([]);
    ears.transcript(question('late'));
    expect(ears.short).toEqual(['0.1 transcript: late']);
  });
  it('the end of a turn in which it held nothing is no evidence', () => {
    const ears = healthy();
    ears.terminal(question('a'));
    ears.merging.idle();
    ears.wait(TRANSCRIPT_WAIT_MS);
    expect(ears.short).toEqual(['0.1 screen: a']);
  });
  it('an Enter waits for nothing', () => {
    const ears = healthy();
    ears.terminal(question('a'));
    ears.enter();
    expect(ears.short).toEqual(['0.1 screen: a']);
  });
  it('numbers are never what a screen has lost', () => {
    const ears = healthy();
    ears.transcript(question('30 % done'));
    ears.terminal(question('40 % done'));
    ears.wait(TRANSCRIPT_WAIT_MS);
    expect(ears.short).toEqual(['0.1 transcript: 30 % done', '0.2 screen: 40 % done']);
  });
  it('lines do not wait', () => {
    const ears = healthy();
    ears.terminal(question('a'), 'lines');
    ears.wait(60_000);
    ears.transcript(question('a'));
    expect(ears.short).toEqual(['0.1 lines: a']);
  });
});

describe('rejections', () => {
  const bad = (text: string): string => question(text).replace('QUESTION', 'QUESTIONS');
  it('are told once, whoever is first', () => {
    const ears = healthy();
    ears.terminal(bad('a'));
    ears.transcript(bad('`a`'));
    ears.transcript(bad('b'));
    ears.terminal(bad('b'));
    ears.wait(60_000);
    expect(ears.short).toEqual(['transcript: unknown_type', 'transcript: unknown_type']);
  });
  it('are none where the transcript has the whole message', () => {
    const ears = healthy();
    const [exact, broken] = [question('say `a`'), question('say a').replace('"say', '"say"')];
    ears.terminal(broken);
    ears.transcript(exact + exact);
    ears.terminal(broken);
    ears.wait(60_000);
    expect(ears.short).toEqual(['0.1 transcript: say `a`', '0.2 transcript: say `a`']);
  });
  it('of the transcript stand against what the screen has accepted', () => {
    const ears = healthy();
    ears.transcript(question('a').replace('"a"', '"a\\q"'));
    ears.terminal(question('aq'));
    ears.wait(60_000);
    expect(ears.short).toEqual(['transcript: json']);
  });
});

describe('health', () => {
  it('is lost when nothing comes of what the screen shows, and back when both agree', () => {
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
  it('does not suffer from what a shell prints, nor from what was told before it', () => {
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
  it('that the transcript has gone past take nothing from later ones', () => {
    const ears = new Ears();
    ears.enter();
    ears.terminal(question('a'));
    ears.enter();
    ears.transcript('');
    ears.merging.pass(2);
    ears.transcript(question('a'));
    expect(ears.short).toEqual(['1.1 screen: a', 'healthy', '2.1 transcript: a']);
  });
  it('long past take nothing from the screen', () => {
    const ears = healthy();
    ears.transcript(question('a'));
    ears.enter();
    ears.wait(TRANSCRIPT_LOST_MS + 1);
    ears.terminal(question('a'));
    ears.wait(TRANSCRIPT_WAIT_MS);
    expect(ears.short).toEqual(['0.1 transcript: a', '1.1 screen: a']);
  });
});

it('is bounded', () => {
  const ears = healthy();
  for (let at = 0; at < MAX_HELD + 10; at++) ears.terminal(question(`a${at}`));
  expect(ears.short).toHaveLength(10);
  for (let at = 0; at < MAX_UNCONFIRMED + 10; at++) {
    ears.transcript(question(`b${at} ${'long '.repeat(2000)}`));
    ears.terminal(question(`c${at} ${'long '.repeat(2000)}`));
  }
  expect(JSON.stringify(ears.merging.state()).length).toBeLessThan(2e6);
});

describe('any interleaving', () => {
  const texts = ['which `__init__`?', 'which port?', 'which port, or *which* socket?', '30 %', '40 %', 'go?'];
  const turns = fc.array(fc.array(fc.constantFrom(...texts), { maxLength: 4 }), { minLength: 1, maxLength: 4 });
  /**
   * Within a turn, the screen's picture of what the transcript has told is dropped, and a repetition waits for the
   * transcript.
   */
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
   * The screen shows what is said before the next Enter; the transcript may be a whole session behind, or ahead of the
   * screen in the turn that it is. `enter` is passed over while the screen has not shown the turn.
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
  function heard({ told }: Ears): { place: string; text: string }[] {
    const messages: { place: string; text: string }[] = [];
    for (const finding of told) {
      if (finding.kind !== 'message' && finding.kind !== 'corrected') continue;
      const place = `${finding.turn}.${finding.ordinal}`;
      const text = String(finding.message.data['question']).replace(/\s/g, '');
      if (finding.kind === 'message') messages.push({ place, text });
      else for (const one of messages) if (one.place === place) one.text = text;
    }
    return messages;
  }
  const bare = (said: readonly (readonly string[])[]): string[] => said.flat().map((text) => text.replace(/\s/g, ''));

  it('tells each message once, in order, and in the end in the transcript’s words', () => {
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

  it('tells each message once, wherever the transcript says other things and ends turns', () => {
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
