import { describe, expect, it } from 'vitest';
import { keyWords, readKeyName } from '../input/key-names.js';
import type { Action } from './action.js';
import { ACTIONS } from './actions.js';
import { createKeymap, keysText } from './keymap.js';

describe('the keymap', () => {
  it('has by default at least one key for every action, and unique action names', () => {
    const keymap = createKeymap({});
    for (const { name } of ACTIONS) expect(keymap.keysOf(name), name).not.toHaveLength(0);
    expect(new Set(ACTIONS.map(({ name }) => name)).size).toBe(ACTIONS.length);
  });

  it('spells its keys as the configuration does', () => {
    for (const key of ACTIONS.flatMap(({ keys }: Action) => keys)) expect(readKeyName(key)).toBe(key);
  });

  it('replaces the keys of an action by the configured ones', () => {
    const keymap = createKeymap({ kill: 'D M-k', zoom: 'ctrl-z' });
    expect(keymap.find('sessions', 'D')?.name).toBe('kill');
    expect(keymap.find('sessions', 'M-k')?.name).toBe('kill');
    expect(keymap.find('sessions', 'K')).toBeNull();
    expect(keymap.find('inbox', 'D')).toBeNull();
    expect(keymap.find('feed', 'C-z')?.name).toBe('zoom');
    expect(createKeymap({ kill: '' }).keysOf('kill')).toEqual([]);
  });

  it('lets two actions swap keys', () => {
    const keymap = createKeymap({ rename: 'K', kill: 'r' });
    expect(keymap.find('sessions', 'K')?.name).toBe('rename');
  });

  it.each([
    [{ kil: 'D' }, /no action 'kil'; did you mean kill\?/],
    [{ kill: 'Ctrl-Alt-Gr' }, /keys\.kill: 'Ctrl-Alt-Gr' is not a key; keys are a character, Enter/],
    [{ kill: '/' }, /keys\.kill: '\/' is the key of filter \(show only .*\); take another key, or give filter another/],
    [{ quit: 'x' }, /keys\.quit: 'x' is the key of decline/],
    [{ zoom: '3' }, /'3' is the key of choose .*; take another key$/],
    [{ choose: 'a' }, /keys\.choose: its keys are always 1–9/],
    [{ quit: 'C-c' }, /always leaves/],
    [{ newline: 'n' }, /'n' is text there/],
    [{ send: 'C-m', newline: 'Enter' }, /'Enter' is the key of/],
  ])('refuses %j with a suggestion', (config: Record<string, string>, message) => {
    expect(() => createKeymap(config)).toThrow(message);
  });

  it('is written as TOML in which defaults are comments', () => {
    expect(keysText({})).toMatch(/\[keys\]\n# down.*\n# down = "j Down"\n/);
    expect(keysText({ kill: 'D' })).toMatch(/\nkill = "D"\n/);
  });
});

describe('key names', () => {
  it('are read in all common spellings', () => {
    const written = ['ctrl-p', '^P', 'C-p', 'alt-enter', 'S-Tab', 'BTab', 'Esc', 'pgup', 'space', 'S-a', 'C-i', 'F5'];
    const names = ['C-p', 'C-p', 'C-p', 'M-Enter', 'S-Tab', 'S-Tab', 'Escape', 'PageUp', 'Space', 'A', 'Tab', 'F5'];
    expect(written.map(readKeyName)).toEqual(names);
    expect(['', 'C-', 'C-1', 'Hyper-x', 'Entr', 'S-1'].map(readKeyName)).toEqual([null, null, null, null, null, null]);
  });

  it('are shown as they are printed on keyboards', () => {
    expect(['C-p', 'M-Enter', 'Up', 'Escape', 'K'].map(keyWords)).toEqual(['Ctrl-P', 'Alt-Enter', '↑', 'Esc', 'K']);
  });
});
