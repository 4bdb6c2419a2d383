import { describe, expect, it } from 'vitest';
import { ACTIONS, type Action } from '../model/actions.js';
import { keyWords, readKeyName } from './key-names.js';
import { createKeymap, keysText } from './keymap.js';

describe('the keymap', () => {
  it('has no key for two actions in one place, and a key for every action, by default', () => {
    const keymap = createKeymap({});
    for (const { name } of ACTIONS) expect(keymap.keysOf(name), name).not.toHaveLength(0);
    expect(new Set(ACTIONS.map(({ name }) => name)).size).toBe(ACTIONS.length);
  });

  it('spells its own keys as the configuration does', () => {
    for (const key of ACTIONS.flatMap(({ keys }: Action) => keys)) expect(readKeyName(key)).toBe(key);
  });

  it('means what is configured, and by the keys that were given alone', () => {
    const keymap = createKeymap({ kill: 'D M-k', zoom: 'ctrl-z' });
    expect(keymap.find('sessions', 'D')?.name).toBe('kill');
    expect(keymap.find('sessions', 'M-k')?.name).toBe('kill');
    expect(keymap.find('sessions', 'K')).toBeNull();
    expect(keymap.find('inbox', 'D')).toBeNull();
    expect(keymap.find('feed', 'C-z')?.name).toBe('zoom');
    expect(createKeymap({ kill: '' }).keysOf('kill')).toEqual([]);
  });

  it('lets two actions change keys', () => {
    const keymap = createKeymap({ rename: 'K', kill: 'r' });
    expect(keymap.find('sessions', 'K')?.name).toBe('rename');
  });

  it.each([
    [{ kil: 'D' }, /no action 'kil'; did you mean kill\?/],
    [{ kill: 'Ctrl-Alt-Gr' }, /keys\.kill: 'Ctrl-Alt-Gr' is no key; keys are a character, Enter/],
    [{ kill: '/' }, /keys\.kill: '\/' is the key of filter \(show only .*\); take another key, or give filter another/],
    [{ quit: 'x' }, /keys\.quit: 'x' is the key of decline/],
    [{ zoom: '3' }, /'3' is the key of choose .*; take another key$/],
    [{ choose: 'a' }, /keys\.choose: its keys are always 1–9/],
    [{ quit: 'C-c' }, /always leaves/],
    [{ newline: 'n' }, /'n' is text there/],
    [{ send: 'C-m', newline: 'Enter' }, /'Enter' is the key of/],
  ])('refuses what cannot be, and says what would be right: %j', (config: Record<string, string>, message) => {
    expect(() => createKeymap(config)).toThrow(message);
  });

  it('is written out as TOML that changes nothing until a line is uncommented', () => {
    expect(keysText({})).toMatch(/\[keys\]\n# down.*\n# down = "j Down"\n/);
    expect(keysText({ kill: 'D' })).toMatch(/\nkill = "D"\n/);
  });
});

describe('names of keys', () => {
  it('are read however people write them', () => {
    const written = ['ctrl-p', '^P', 'C-p', 'alt-enter', 'S-Tab', 'BTab', 'Esc', 'pgup', 'space', 'S-a', 'C-i', 'F5'];
    const names = ['C-p', 'C-p', 'C-p', 'M-Enter', 'S-Tab', 'S-Tab', 'Escape', 'PageUp', 'Space', 'A', 'Tab', 'F5'];
    expect(written.map(readKeyName)).toEqual(names);
    expect(['', 'C-', 'C-1', 'Hyper-x', 'Entr', 'S-1'].map(readKeyName)).toEqual([null, null, null, null, null, null]);
  });

  it('are shown as they stand on keyboards', () => {
    expect(['C-p', 'M-Enter', 'Up', 'Escape', 'K'].map(keyWords)).toEqual(['Ctrl-P', 'Alt-Enter', '↑', 'Esc', 'K']);
  });
});
