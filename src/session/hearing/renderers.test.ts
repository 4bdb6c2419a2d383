/**
 * Tests how messages are found in text that programs change when they paint it. Changed messages are marked as inexact,
 * and a file that the user shows is not output of the agent.
 */
import { describe, expect, it } from 'vitest';
import { heardProgram } from '../../../test/harness/heard-program.js';

const question = (text: string): string[] =>
  JSON.stringify({ type: 'QUESTION', data: { question: text } }, null, 2).split('\n');

interface Program {
  /** Paints the whole screen and then prints nothing for a while. */
  paint(rows: readonly string[]): void;
  /** A line that orchd types. */
  send(text: string): void;
  /** The reported questions, with `~` before those that are not exact. */
  readonly heard: () => string[];
}

function run(command: readonly string[] = ['sometool'], isRestored = false): Program {
  const program = heardProgram({ command, rows: 30, checkpoint: (hearing) => (isRestored ? hearing.rebase() : null) });
  return {
    paint(rows) {
      const text = rows.map((row, y) => `\x1b[${y + 1};1H\x1b[K${row}`).join('');
      program.print(`\x1b[?1049h\x1b[?2026h\x1b[2J${text}\x1b[?2026l`, 100);
      program.rest();
    },
    send: program.send,
    heard: () =>
      program.found.flatMap((finding) =>
        finding.kind === 'message'
          ? [`${finding.exact === false ? '~' : ''}${String(finding.message.data['question'])}`]
          : [],
      ),
  };
}

describe.each([false, true])('a fence that a program has left open (restored: %s)', (isRestored) => {
  const before = ['> please begin with a question', '', 'Look at this:', '', '```', 'npm test', ''];
  const prompt = ['> and now please ask me another one', ''];

  it('does not turn the next turn into a quotation', () => {
    const program = run(['sometool'], isRestored);
    program.send('please begin with a question');
    program.paint(before);
    program.send('and now please ask me another one');
    program.paint([...before, ...prompt, ...question('Which?')]);
    expect(program.heard()).toEqual(['Which?']);
    program.send('and the last thing, if there is any');
    const last = ['> and the last thing, if there is any', '', ...question('What?')];
    program.paint([...before, ...prompt, ...question('Which?'), ...last]);
    expect(program.heard()).toEqual(['Which?', 'What?']);
  });

  it('quotes until the next prompt is on the screen', () => {
    const program = run(['sometool'], isRestored);
    program.send('please begin with a question');
    program.paint([...before, ...question('An example?')]);
    program.send('and now please ask me another one');
    program.paint([...before, ...question('An example?'), 'and more of it', ...question('Another example?')]);
    expect(program.heard()).toEqual([]);
  });

  it('quotes again if it starts after the prompt', () => {
    const program = run(['sometool'], isRestored);
    program.send('please begin with a question');
    program.paint(before);
    program.send('and now please ask me another one');
    program.paint([...before, ...prompt, '```', ...question('An example?'), '```', ...question('A real one?')]);
    expect(program.heard()).toEqual(['~A real one?']);
  });
});

describe('a program that counts the columns of some characters differently', () => {
  const prompt = ['> please begin with a question', ''];
  const [first = '', second = '', third = '', fourth = '', ...rest] = question('Is a\u200bb one word, or two? (1)');
  const cut = [...prompt, first, second, third, fourth.slice(0, -5), ...rest];
  const whole = [...prompt, first, second, third, fourth, ...rest];

  it('has a question with a cut string reported once, even if the next turn shows the whole string', () => {
    const program = run();
    program.send('please begin with a question');
    program.paint(cut);
    program.send('two');
    program.paint([...whole, '', '> two']);
    expect(program.heard()).toEqual(['~Is a\u200bb one word, or two?']);
  });

  it('has the question reported again if it asks the same in the next turn', () => {
    const program = run();
    program.send('please begin with a question');
    program.paint(cut);
    program.send('let us go on with the next one');
    program.paint([...whole, '', '> let us go on with the next one', '', ...whole.slice(2)]);
    expect(program.heard()).toEqual(['~Is a\u200bb one word, or two?', '~Is a\u200bb one word, or two? (1)']);
  });
});

describe('a program without an adapter', () => {
  it('may shorten runs of blanks until it has shown one within a string', () => {
    const program = run();
    program.send('please begin with a question');
    const prompt = ['> please begin with a question', ''];
    program.paint([...prompt, ...question('Which?')]);
    program.paint([...prompt, ...question('Which?'), ...question('list:\n - a')]);
    program.paint([...prompt, ...question('Which?'), ...question('list:\n - a'), ...question('list:\n  - a')]);
    expect(program.heard()).toEqual(['Which?', '~list:\n - a', 'list:\n  - a']);
    program.paint([...prompt, ...question('list:\n  - a'), ...question('Is it so?')]);
    expect(program.heard().at(-1)).toBe('Is it so?');
  });

  it('may leave old cells anywhere after it has shown characters of unsure width', () => {
    const program = run();
    program.send('please begin with a question');
    const prompt = ['> please begin with a question', ''];
    program.paint([...prompt, ...question('list:\n  - a')]);
    program.paint([...prompt, ...question('list:\n  - a'), 'தமிழ்']);
    program.paint([...prompt, ...question('list:\n  - a'), 'தமிழ்', ...question("and don't askdagain?")]);
    program.paint([...prompt, ...question('list:\n  - a'), 'தமிழ்', ...question("and don't ask again?")]);
    expect(program.heard()).toEqual(['list:\n  - a', "~and don't askdagain?"]);
  });

  it('is exact if its adapter is known', () => {
    const program = run(['claude']);
    program.send('please begin with a question');
    program.paint(['> please begin with a question', '', ...question('Is it so?')]);
    expect(program.heard()).toEqual(['Is it so?']);
  });
});

it('never reports a text of Gemini CLI as exact, which draws markdown in messages and drops its marks', () => {
  const program = run(['gemini']);
  program.send('please begin with a question');
  program.paint([
    '> please begin with a question',
    '',
    ...question('Which of the old modules goes first: __init__.py?'),
  ]);
  expect(program.heard()).toEqual(['~Which of the old modules goes first: __init__.py?']);
});

describe('the output of a command that a user runs in pi', () => {
  const rule = '─'.repeat(80);
  const prompt = ['> please begin with a question', ''];
  const file = ['# Notes', '', '---', ...question('Only in a file?'), '─'.repeat(40), ':ORCHESTRATOR: TASK COMPLETE'];
  const shown = (rows: readonly string[]): string[] => [rule, ' $ cat notes.md', '', ...rows, '', rule];

  it('is not reported as output of the agent, whose later messages are', () => {
    const program = run(['pi']);
    program.send('please begin with a question');
    program.paint([...prompt, ...shown([' ⠋ Running... (escape/ctrl+c to cancel)'])]);
    program.paint([...prompt, ...shown(file), '', rule, '', rule]);
    program.paint([...prompt, ...shown(file), '', ...question('Which?'), '', rule, '', rule]);
    expect(program.heard()).toEqual(['Which?']);
  });

  it('starts below a rule, without which the same text is output of the agent', () => {
    const program = run(['pi']);
    program.send('please begin with a question');
    program.paint([...prompt, ' $ cat notes.md', '', ...question('Which?'), '', rule, '', rule]);
    expect(program.heard()).toEqual(['Which?']);
  });
});

describe.each([false, true])('words in another style than those beside them (restored: %s)', (isRestored) => {
  const prompt = ['> please begin with a question', ''];
  const green = '\x1b[32m';
  const styled = (rows: readonly string[], [word, drawn]: readonly [string, string]): string[] =>
    rows.map((row) => row.replace(word, drawn));
  const start = (): Program => {
    const program = run(['sometool'], isRestored);
    program.send('please begin with a question');
    return program;
  };

  it('may have lost the signs around them', () => {
    const program = start();
    const first = styled(question('It  runs now, or?'), ['now', '\x1b[3mnow\x1b[23m']);
    program.paint([...prompt, ...first]);
    program.paint([...prompt, ...first, ...styled(question('At  night, then?'), ['At', '\x1b[1mAt\x1b[22m'])]);
    program.paint([...prompt, ...first, ...question('Is  it so?')]);
    expect(program.heard()).toEqual(['~It  runs now, or?', '~At  night, then?', 'Is  it so?']);
  });

  it('may be parts of JSON in colours', () => {
    const program = start();
    const rows = question('Is  it "so", at https://a.b/c or 12?').map((row) =>
      row
        .replace(/\\"/g, `\x1b[33m$&${green}`)
        .replace(/https\S*/, `\x1b[36m$&${green}`)
        .replace('12', `\x1b[35m$&${green}`)
        .replace(/"\w+"(?=:)/, '\x1b[34m$&\x1b[39m')
        .replace(/: "(.*)"/, `: \x1b[31m"${green}$1\x1b[31m"\x1b[39m`),
    );
    program.paint([...prompt, ...rows]);
    expect(program.heard()).toEqual(['Is  it "so", at https://a.b/c or 12?']);
  });
});
