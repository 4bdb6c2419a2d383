import { describe, expect, it } from 'vitest';
import { anItem } from '../../../test/tui/data.js';
import { plainAnswer } from './plain-answer.js';

const asking = (...options: string[]) => anItem({ data: { question: 'Which?', options } });

describe('an answer in plain mode', () => {
  it('is the option if it is only a digit, and otherwise text', () => {
    expect(plainAnswer(3, asking('JWT', 'OAuth2'), '2')).toEqual({ request: { option: 2 } });
    expect(plainAnswer(3, asking('JWT', 'OAuth2'), '2 of them')).toEqual({ request: { text: '2 of them' } });
    expect(plainAnswer(3, asking('JWT'), 'neither')).toEqual({ request: { text: 'neither' } });
  });

  it('is refused if the number is not an option, unless it is the text of an option', () => {
    const problem = 'item 3 has no option 9, only 1 to 2; type show 3';
    expect(plainAnswer(3, asking('JWT', 'OAuth2'), '9')).toEqual({ problem });
    expect(plainAnswer(3, asking('JWT'), '0')).toEqual({ problem: 'item 3 has no option 0, only 1; type show 3' });
    expect(plainAnswer(3, asking('8', '16'), '16')).toEqual({ request: { text: '16' } });
  });

  it('is the number itself if there are no options', () => {
    expect(plainAnswer(3, anItem({ data: { question: 'How many?' } }), '9')).toEqual({ request: { text: '9' } });
  });

  it('includes the text for an option that needs one', () => {
    const review = anItem({ type: 'REQUEST_REVIEW', data: { what: 'the parser' } });
    expect(plainAnswer(3, review, '2 more tests')).toEqual({ request: { option: 2, text: 'more tests' } });
  });
});
