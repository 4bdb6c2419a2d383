import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../protocol/config-file.js';
import { configFromEnvironment, mergeConfig } from '../../protocol/index.js';
import { createKeymap, keysText } from '../acts/keymap.js';
import { attachKeys, attachKeysText } from './attach-keys.js';
import { gridKeys } from './grid-keys.js';

describe('the keys after the prefix', () => {
  it.each([
    ['', 'C-]', { s: 'picker', w: 'waiting', Tab: 'waiting', '5': 'go_to', '&': 'kill', z: 'zoom' }],
    ['tmux', 'C-b', { s: 'picker', w: 'picker', x: 'kill', ',': 'rename', '[': 'look_back' }],
    ['screen', 'C-a', { '"': 'picker', A: 'rename', k: 'kill', c: 'new', d: 'detach' }],
    ['zellij', 'C-o', { w: 'picker', r: 'rename', x: 'kill', R: 'read_only' }],
  ] as const)('follow the preset %j', (preset, prefix, actions) => {
    const keys = attachKeys('C-]', preset === '' ? {} : { preset });
    expect(keys.prefix).toBe(prefix);
    for (const [key, action] of Object.entries(actions)) expect(keys.find(key), key).toBe(action);
    expect(keys.find('@')).toBeNull();
  });

  it('can be changed one by one, together with the prefix', () => {
    const keys = attachKeys('C-x', { preset: 'tmux', prefix_kill: 'X', prefix_next: '' });
    expect([keys.prefix, keys.find('X'), keys.find('x'), keys.find('n')]).toEqual(['C-x', 'kill', null, null]);
    expect(attachKeys('C-]', { prefix_go_to: 'A B' }).numberOf('B')).toBe(2);
  });

  it.each([
    [{ preset: 'byobu' }, "keys.preset is 'byobu'; there are tmux, screen, zellij"],
    [{ preset: 'Tmxu' }, "keys.preset is 'Tmxu'; did you mean tmux?"],
    [{ prefix_xyzzy: 's' }, "[keys] has no action 'prefix_xyzzy'; there are prefix_detach, "],
    [{ prefix_piker: 's' }, "[keys] has no action 'prefix_piker'; did you mean prefix_picker?"],
    [
      { prefix_kill: 'C-k' },
      "keys.prefix_kill: 'C-k' is not a key here; use one character, Tab, Enter, PageUp, PageDown, ",
    ],
    [{ prefix_kill: 'd' }, "keys.prefix_kill: 'd' is the key of prefix_detach; give one of them another key"],
    [{ prefix_detach: 's' }, "keys.prefix_detach: 's' is the key of prefix_picker; give one of them another key"],
  ])('are refused as %j, with a suggestion', (config, words) => {
    expect(() => attachKeys('C-]', config as Record<string, string>)).toThrow(words);
  });

  it.each([
    ['[keys]\nkill = "D"\nkil = "x"\n', "c.toml, line 3: [keys] has no action 'kil'; did you mean kill?"],
    ['[keys]\nkill = "Entr"\n', "c.toml, line 2: keys.kill: 'Entr' is not a key; "],
    ['[keys]\nzoom = "M-z"\nkill = "/"\n', "c.toml, line 3: keys.kill: '/' is the key of filter "],
    ['keys.quit = "C-c"\n', 'c.toml, line 1: keys.quit: C-c always leaves the TUI'],
    ['[keys]\n# mine\nprefix_piker = "s"\n', "c.toml, line 3: [keys] has no action 'prefix_piker'; did you mean "],
    ['\n[keys]\npreset = "tmx"\n', "c.toml, line 3: keys.preset is 'tmx'; did you mean tmux?"],
    ['[keys]\nprefix_kill = "C-k"\n', "c.toml, line 2: keys.prefix_kill: 'C-k' is not a key here; "],
    ['[keys]\nprefix_detach = "s"\n', "c.toml, line 2: keys.prefix_detach: 's' is the key of prefix_picker; "],
    ['keys = { kil = "x" }\n', "c.toml: [keys] has no action 'kil'; did you mean kill?"],
  ])('are refused with the line of the configuration: %j', (text, words) => {
    const { keys } = mergeConfig([parseConfig('c.toml', text)]);
    const check = () => [createKeymap(keys), attachKeys('C-]', keys)];
    expect(check).toThrow(words);
  });

  it('are named as a person presses them', () => {
    expect(attachKeys('C-]', {}).pressedFor('detach')).toBe('Ctrl-] d');
    expect(attachKeys('C-]', { preset: 'zellij' }).pressedFor('read_only')).toBe('Ctrl-o R');
    expect(attachKeys('C-]', { prefix_detach: '' }).pressedFor('detach')).toBe('Ctrl-] ?');
  });

  it('are refused with the last source that sets them', () => {
    const user = parseConfig('user.toml', '[keys]\nkill = "D"\n');
    const { keys } = mergeConfig([user, configFromEnvironment({ ORCHD_KEYS_KILL: 'Entr' })]);
    expect(() => createKeymap(keys)).toThrow("environment: keys.kill: 'Entr' is not a key");
  });

  it('are printed as configuration that both tables accept', () => {
    const config = { preset: 'screen', prefix_new: 'C', kill: 'D' };
    expect(attachKeysText(config)).toMatch(
      /^preset = "screen"$[\s\S]*^prefix_new = "C"$[\s\S]*^# prefix_help = "\?"$/m,
    );
    expect(keysText(config)).toContain(attachKeysText(config));
    expect(createKeymap(config).find('sessions', 'D')?.name).toBe('kill');
  });
});

describe('the keys after the prefix in the grid', () => {
  it.each([
    ['', { d: 'leave', Left: 'left', Tab: 'next', '%': 'split_right', S: 'save', '3': 'screen' }],
    ['tmux', { o: 'next', '"': 'split_below', x: 'drop', z: 'attach' }],
    ['screen', { Tab: 'next', S: 'split_below', s: 'save', X: 'drop' }],
    ['zellij', { f: 'attach', r: 'split_right', l: 'right', s: 'together' }],
  ] as const)('follow the preset %j', (preset, actions) => {
    const keys = gridKeys(preset === '' ? {} : { preset });
    for (const [key, action] of Object.entries(actions)) expect(keys.find(key), key).toBe(action);
  });

  it('can be changed one by one, and the numbers of screens, too', () => {
    const keys = gridKeys({ preset: 'tmux', grid_drop: 'X', grid_screen: 'a b', grid_left: 'Left' });
    expect(['X', 'x', 'b', 'h'].map((key) => keys.find(key))).toEqual(['drop', null, 'screen', null]);
    expect(keys.numberOf('b')).toBe(2);
  });

  it.each([
    ['[keys]\ngrid_zom = "f"\n', "c.toml, line 2: [keys] has no action 'grid_zom'; "],
    ['[keys]\ngrid_drp = "f"\n', "c.toml, line 2: [keys] has no action 'grid_drp'; did you mean grid_drop?"],
    ['[keys]\ngrid_drop = "w"\n', "c.toml, line 2: keys.grid_drop: 'w' is the key of grid_waiting; "],
    ['[keys]\ngrid_drop = "F5"\n', "c.toml, line 2: keys.grid_drop: 'F5' is not a key here; "],
  ])('are refused with the line of the configuration: %j', (text, words) => {
    const { keys } = mergeConfig([parseConfig('c.toml', text)]);
    expect(() => gridKeys(keys)).toThrow(words);
  });

  it('are printed as configuration, and are no keys of the TUI', () => {
    const config = { grid_drop: 'X' };
    expect(keysText(config)).toMatch(/^grid_drop = "X"$[\s\S]*/m);
    expect(keysText({})).toMatch(/^# grid_left = "Left h"$/m);
    expect(() => createKeymap(config)).not.toThrow();
  });
});
