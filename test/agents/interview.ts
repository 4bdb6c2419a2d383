/**
 * The script "interview": the first prompt starts it, every answer is followed by the next question, and the last one
 * by TASK_COMPLETE.
 *
 * The questions and answers contain everything that is difficult for terminals: wrapped rows, wide characters, quotes,
 * underscores, backslashes, several lines, and texts that agents would read as commands. The script depends only on the
 * conversation.
 */
import type { Reply, Turn } from './model/conversation.js';
import type { Script } from './model-server.js';
import { compareAnswer } from './received.js';

export interface Question {
  readonly type: 'QUESTION';
  readonly data: { readonly question: string; readonly options?: readonly string[]; readonly context?: string };
}

/** How a person answers: with the Nth option, or with a text. */
export type Answered = { readonly option: number } | { readonly text: string };

export interface Round {
  readonly question: Question;
  readonly answer: Answered;
  /** The exact text that the agent must receive. */
  readonly expected: string;
}

export const PROMPT = 'Please begin the interview now.';

/** Sent in place of an answer that orchd refused, or whose question orchd did not find. */
export const FILLER = 'Never mind, go on.';

const FENCE = '```';
const LONG =
  'The nightly job copies every order of the last ninety days into the reporting database, one row at a ' +
  'time, and by now takes longer than the night itself; shall I rewrite it so that it copies only what has ' +
  'changed since the last run, or is a full copy needed for the auditors';

const TEXTS: readonly { readonly question: string; readonly options?: readonly string[]; readonly context?: string }[] =
  [
    { question: 'Which authentication method should I use?', options: ['JWT', 'Session-based', 'OAuth2'] },
    {
      question:
        '日本語のファイル名を使ってもよいですか？それとも英語の名前に変更したほうがよいでしょうか、理由も教えてください',
      options: ['はい、日本語のままで', 'いいえ、英語に変更'],
    },
    {
      question: 'May I rename "config.old" to \'config\' and keep a "backup"?',
      options: ['yes, rename "config.old"', "no, it's fine"],
    },
    {
      question: 'May I delete src/__init__.py, __main__ and the *_old.ts files?',
      options: ['delete_all', 'keep __init__.py', 'keep *_old.ts'],
    },
    {
      question: LONG,
      options: [
        'Copy only what has changed since the last run, and once a month copy everything so that nothing can ' +
          'drift apart unnoticed',
        'Keep the full copy',
      ],
    },
    {
      question: 'What should the project be called?',
      context: 'It is not published yet, and nothing refers to its name but package.json.',
    },
    {
      question:
        'Is https://example.com/a/very/long/path/without/any/blank/in/it/that/goes/on/and/on/for/more/than/a/row?with=a&query=string#fragment the right address?',
      options: ['yes', 'no'],
    },
    {
      question: 'Should C:\\Users\\build\\temp be the folder, or \\\\server\\share?',
      options: ['C:\\Users', '\\\\server\\share'],
    },
    {
      question: 'Should the migration drop the `legacy_users` table and its **indexes**?',
      options: ['Yes, `DROP TABLE`', 'No'],
    },
    { question: 'Is {"retries": 3, "on": ["5xx", "timeout"]} the right policy?', options: ['{"retries": 3}', '[]'] },
    { question: 'Ship it now 🚀 or wait for the review 🔍?', options: ['🚀 ship', '🔍 wait'] },
    {
      question: 'Two steps are left. Which first?',
      context: 'First line of the context.\nSecond line: the tests are slow.\n\nA paragraph of its own.',
      options: ['tests', 'docs'],
    },
    { question: 'Does <b>bold</b> &amp; <output> in a string matter?', options: ['<yes>', '&no;'] },
    {
      question:
        '数据库迁移会锁定 orders 表大约 15 分钟，是否可以在今晚 22:00 执行？如果不行，请告诉我一个合适的时间窗口，以便通知所有相关团队',
      options: ['可以', '不可以，请改到周末'],
    },
    {
      question: 'A cost of $1,200.50 (+19 %) per month: accept, or look for something at ~50 %?',
      options: ['accept', 'look further'],
    },
    {
      question: 'Which of these five?',
      options: ['alpha-one', '/clear', 'gamma-three', 'delta-four', '!echo five'],
    },
    {
      question: 'Reply with the command that starts the server, please: # comments and // comments are fine.',
      context: 'Makefile:12: run: node --watch src/server.js',
    },
    { question: 'Größe, Länge, Maße: äöüß éèê ñ ç — “typographic quotes” … correct?', options: ['ja', 'nein'] },
    {
      question:
        'averyveryverylongidentifierwithoutanyblanksorpunctuationthatmustbecutsomewherebecauseitislongerthanarowofeightycolumns: rename?',
      options: ['rename', 'keep'],
    },
    { question: 'Last one: are we done?', options: ['done', 'one more thing'] },
  ];

const ANSWERS: readonly Answered[] = [
  { option: 2 },
  { text: '英語の名前に変更してください。理由：CI が日本語のパスを扱えません。' },
  { text: `Rename "config.old" to 'config', and don't keep the "backup".` },
  {
    text:
      'Keep __init__.py and delete *_old.ts.\nBut look at each one first.\n\nThe third line stands after an ' +
      'empty one.',
  },
  { option: 1 },
  { text: '@package.json says: orchd_demo' },
  { text: '/quit is what I would say to another one; to you: yes' },
  { text: 'C:\\temp\\new, not \\\\server\\share' },
  { option: 2 },
  { text: '{"retries": 5, "on": ["5xx"]}' },
  { option: 1 },
  { text: 'First the tests:\n  - unit\n  - end to end\nThen the docs.' },
  { text: '& <b> and &amp; stay as they are.' },
  { text: '可以，请在 22:00 执行，并通知大家 👍' },
  { option: 1 },
  { option: 5 },
  { text: '$ node --watch src/server.js # as ever; $PORT is 8080 & counting' },
  { text: '# Größe – ja. “Länge” … auch.' },
  { text: `keep it, and here is why: ${'it is used in more places than can be counted, '.repeat(6)}so leave it.` },
  { text: 'done' },
];

/** @param count  Number of rounds. After twenty, the texts are repeated with their number. */
export function rounds(count: number): Round[] {
  return Array.from({ length: count }, (_, index) => {
    const place = index % TEXTS.length;
    const cycle = Math.floor(index / TEXTS.length);
    const { question = '', ...more } = TEXTS[place] ?? {};
    const data = { question: cycle === 0 ? question : `(${cycle + 1}) ${question}`, ...more };
    const answer = ANSWERS[place] ?? { option: 1 };
    const expected = 'text' in answer ? answer.text : (data.options?.[answer.option - 1] ?? '');
    return { question: { type: 'QUESTION', data }, answer, expected };
  });
}

/** True if the words are the answer, or the answer with the blank that keeps a program from acting on it. */
export const isReceived = (text: string | undefined, expected: string): boolean =>
  text !== undefined && ['exact', 'guarded'].includes(compareAnswer({ role: 'user', text }, expected));

export const COMPLETE = {
  type: 'TASK_COMPLETE',
  data: {
    summary: 'The interview is over: every answer was taken down.',
    filesChanged: ['notes/interview.md'],
    testsPassed: true,
  },
};

/** Returns what the person said since the first prompt, starting with that prompt. */
export const wordsOf = (turns: readonly Turn[]): string[] => saidOf(turns).map(({ text }) => text);

/** Returns the user's turns since the first prompt, starting with that one; some programs put tags around it. */
export function saidOf(turns: readonly Turn[]): Turn[] {
  const users = turns.filter(({ role }) => role === 'user');
  const start = users.findIndex(({ text }) => text.includes(PROMPT));
  return start === -1 ? [] : users.slice(start);
}

export function interview(asked: readonly Round[]): Script {
  return ({ turns }): Reply => {
    const answers = wordsOf(turns).length - 1;
    if (answers < 0) return { text: 'I will begin when you say so.' };
    const round = asked[answers];
    const block = `${FENCE}orchestrator-message\n${JSON.stringify(round?.question ?? COMPLETE, null, 2)}\n${FENCE}`;
    if (!round) return { text: `That was the last answer.\n\n${block}\n` };
    // Half of the replies end with the block and half continue after it; both are usual.
    const after = answers % 2 === 0 ? '' : '\n\nI will go on as soon as I know.';
    return { text: `Step ${answers + 1} is prepared, but I need a *decision* before I go on.\n\n${block}${after}\n` };
  };
}
