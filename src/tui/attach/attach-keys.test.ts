import { describe, expect, it } from 'vitest';
import { createKeymap, keysText } from '../input/keymap.js';
import { attachKeys, attachKeysText } from './attach-keys.js';

describe('the keys behind the prefix', () => {
  it.each([
    ['', 'C-]', { s: 'picker', w: 'waiting', Tab: 'waiting', '5': 'go_to', '&': 'kill', z: 'zoom' }],
    ['tmux', 'C-b', { s: 'picker', w: 'picker', x: 'kill', ',': 'rename', '[': 'look_back' }],
    ['screen', 'C-a', { '"': 'picker', A: 'rename', k: 'kill', c: 'new', d: 'detach' }],
    ['zellij', 'C-o', { w: 'picker', r: 'rename', x: 'kill', R: 'read_only' }],
  ] as const)('of the preset %j are those of that program', (preset, prefix, actions) => {
    const keys = attachKeys('C-]', preset === '' ? {} : { preset });
    expect(keys.prefix).toBe(prefix);
    for (const [key, action] of Object.entries(actions)) expect(keys.find(key), key).toBe(action);
    expect(keys.find('@')).toBeNull();
  });

  it('are changed one by one, and a configured prefix stays', () => {
    const keys = attachKeys('C-x', { preset: 'tmux', prefix_kill: 'X', prefix_next: '' });
    expect([keys.prefix, keys.find('X'), keys.find('x'), keys.find('n')]).toEqual(['C-x', 'kill', null, null]);
  });

  it.each([
    [{ preset: 'byobu' }, "keys.preset is 'byobu'; there are tmux, screen, zellij"],
    [{ prefix_xyzzy: 's' }, "[keys] has no action 'prefix_xyzzy'; there are prefix_detach, "],
    [{ prefix_piker: 's' }, "[keys] has no action 'prefix_piker'; did you mean prefix_picker?"],
    [{ prefix_kill: 'C-k' }, "keys.prefix_kill: 'C-k' is no key here; use one character, or Tab"],
    [{ prefix_kill: 'd' }, "keys.prefix_kill: 'd' is the key of prefix_detach; give one of them another key"],
  ])('are refused as %j, with what would be right', (config, words) => {
    expect(() => attachKeys('C-]', config as Record<string, string>)).toThrow(words);
  });

  it('are in the text of the configuration, which both tables accept', () => {
    const config = { preset: 'screen', prefix_new: 'C', kill: 'D' };
    expect(attachKeysText(config)).toMatch(
      /^preset = "screen"$[\s\S]*^prefix_new = "C"$[\s\S]*^# prefix_help = "\?"$/m,
    );
    expect(keysText(config)).toContain(attachKeysText(config));
    expect(createKeymap(config).find('sessions', 'D')?.name).toBe('kill');
  });
});
