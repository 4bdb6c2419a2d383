import { describe, expect, test } from 'vitest';
import { type OpeningQuestion, openingQuestion } from './opening-question.js';

/** The cursor stands where `▏` is; without it, the cursor is hidden. */
function read(picture: string): OpeningQuestion | null {
  const rows = picture.split('\n');
  const y = rows.findIndex((row) => row.includes('▏'));
  const x = (rows[y] ?? '').indexOf('▏');
  const cursor = { x: Math.max(x, 0), y: Math.max(y, 0), visible: y >= 0 };
  return openingQuestion({ rows: rows.map((row) => row.replace('▏', '')), cursor });
}

describe('a question before the prompt', () => {
  test.each([
    'Do you trust the files in this folder? [y/N] ▏',
    'Proceed (yes/no/[fingerprint])? ▏',
    'Trust /home/ada/project? ▏',
    'Do you want to sign in now? ▏',
    'Press Enter to continue ▏',
    'Press any key to open the browser… ▏',
    'Password: ▏',
    'Enter your API key: ▏',
    'Paste the authorization code here > ▏',
    'Email address: ▏',
    'Which account? (1-3): ▏',
    'How do you want to sign in?\n  1) With a browser\n  2) With a key\nEnter a number: ▏',
    'Do you trust this folder?\n\n❯ 1. Yes\n  2. No',
    'Do you trust this folder?\n\n> 1. Yes\n  2. No',
    'How do you sign in?\n\n❯ Browser\n  API key',
    'A new version is here.\nEnter to install · Esc to cancel',
    'Signed in.\n\nPress Enter to continue',
    'Ok to proceed? (y) ▏',
    'Need to install 3 packages. Ok to proceed? ▏',
    'Version 2 is here, update now? ▏',
    'The folder is not trusted. Do you still want to continue? ▏',
    'Are you sure? ▏',
    'tool: overwrite notes.md? ▏',
    'How do you want to sign in? ▏',
    'Password for ada@host > ▏',
    "Type 'yes' and press Enter ▏",
    'Type the code and press Enter ▏',
  ])('%s', (picture) => expect(read(picture)).not.toBeNull());

  test('contains its options, and the rows that belong to it', () => {
    const asked = read('Welcome.\n\nHow do you sign in?\n1) Browser\n2) Key\nYour choice: ▏');
    expect(asked).toEqual({ text: 'How do you sign in?\n1) Browser\n2) Key\nYour choice:', line: 'Your choice:' });
    expect(read('Trust it?\n\n❯ 1. Yes\n  2. No')?.text).toBe('Trust it?\nYes\nNo');
  });
});

describe('a place for a prompt', () => {
  test.each([
    '> ▏',
    'say> ▏',
    'Your turn: ▏',
    'What shall I do? ▏',
    'Can I help you? ▏',
    'Task: ▏',
    '$ ▏',
    '▏',
    'Number of the day: 7\n1. First\n2. Second\n> ▏',
    'I did this:\n  1. one\n  2. two\n\n> ▏',
    '╭────╮\n│ > ▏ │\n╰────╯',
    '> Type your message\n  @path/to/file',
    '❯ \n  ? for shortcuts',
    '> ▏\nEnter to send · Esc to cancel',
    'Do you trust me? [y/N] y\nsay> ▏',
    'Password:\nWelcome.\n> ▏',
    'What do you want to update? ▏',
    'Which file shall I overwrite? ▏',
    'Hello Ada. How would you like to continue? ▏',
    'Where should we proceed?\n▏',
    'Next update? ▏',
    'Type your message and press Enter > ▏',
    'Ask me anything (press Enter to send) ▏',
    'token budget 4,000 > ▏',
  ])('%s', (picture) => expect(read(picture)).toBeNull());
});
