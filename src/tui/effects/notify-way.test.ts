import { describe, expect, test } from 'vitest';
import { type ChosenWay, chooseWay, type NotifyWay, notifySequence } from './notify-way.js';

const says = { title: 'build asks', text: 'Deploy?', id: 'itm_1' };
const way = (name: NotifyWay, isInTmux = false): ChosenWay => ({ way: name, isInTmux, why: '' });

describe('chooseWay', () => {
  test.each([
    ['osc99', { KITTY_WINDOW_ID: '1', TERM: 'xterm-kitty' }],
    ['osc777', { TERM: 'foot' }],
    ['osc777', { TERM: 'foot-extra' }],
    ['osc777', { TERM: 'xterm-ghostty', TERM_PROGRAM: 'ghostty' }],
    ['osc777', { TERM_PROGRAM: 'WezTerm' }],
    ['osc777', { TERM: 'rxvt-unicode-256color' }],
    ['osc9', { TERM_PROGRAM: 'iTerm.app', TERM: 'xterm-256color' }],
    ['bell', { TERM: 'xterm-256color' }],
    ['bell', { TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' }],
    ['bell', {}],
  ] as const)('chooses %s for %o', (wanted, env) => {
    expect(chooseWay('auto', env)).toMatchObject({ way: wanted, isInTmux: false });
  });

  test('chooses in tmux the way of the outer terminal, or the bell if that is unknown', () => {
    const tmux = { TMUX: '/tmp/tmux-1/default,1,0', TERM: 'tmux-256color', TERM_PROGRAM: 'tmux' };
    expect(chooseWay('auto', tmux)).toMatchObject({ way: 'bell', isInTmux: true });
    expect(chooseWay('auto', { ...tmux, KITTY_WINDOW_ID: '3' })).toMatchObject({ way: 'osc99', isInTmux: true });
  });

  test('is off inside a session, where a bell would open an item and so repeat itself', () => {
    expect(chooseWay('auto', { ORCHD_SESSION_ID: 'ses_1', TERM: 'foot' }).way).toBe('off');
  });

  test('uses the configured way everywhere', () => {
    for (const setting of ['bell', 'osc9', 'osc777', 'osc99', 'off'])
      expect(chooseWay(setting, { KITTY_WINDOW_ID: '1' }).way).toBe(setting);
  });
});

describe('a notification', () => {
  test('has the escape sequence of each terminal', () => {
    expect(notifySequence(way('bell'), says)).toBe('\x07');
    expect(notifySequence(way('osc9'), says)).toBe('\x1b]9;build asks: Deploy?\x07');
    expect(notifySequence(way('osc777'), says)).toBe('\x1b]777;notify;build asks;Deploy?\x07');
    const kitty = '\x1b]99;i=itm_1:d=0:p=title;build asks\x1b\\\x1b]99;i=itm_1:d=1:p=body;Deploy?\x1b\\';
    expect(notifySequence(way('osc99'), says)).toBe(kitty);
    expect(notifySequence(way('off'), says)).toBe('');
  });

  test('is wrapped for tmux, with a bell beside it, unless it is only a bell', () => {
    const wrapped = '\x1bPtmux;\x1b\x1b]9;build asks: Deploy?\x07\x1b\\\x07';
    expect(notifySequence(way('osc9', true), says)).toBe(wrapped);
    expect(notifySequence(way('bell', true), says)).toBe('\x07');
    expect(notifySequence(way('off', true), says)).toBe('');
  });

  test('contains no control characters from its text', () => {
    const evil = { title: 'a;b\x07', text: 'x\x07\x1b]0;y\x1b\\\x9c\u202e\nz; w', id: 'itm_1' };
    expect(notifySequence(way('osc777'), evil)).toBe(
      '\x1b]777;notify;a,b‹U+0007›;x‹U+0007›‹U+001B›]0;y‹U+001B›\\‹U+009C›‹U+202E› z; w\x07',
    );
    for (const name of ['osc9', 'osc777', 'osc99'] as const) {
      const inside = notifySequence(way(name), evil).replaceAll(/\x1b\][0-9]+;|\x1b\\|\x07$/g, '');
      expect(inside).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    }
  });
});
