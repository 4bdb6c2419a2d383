import { describe, expect, it } from 'vitest';
import { fenceHintIn, hintIn } from './hints.js';

describe('a line that is almost a message', () => {
  it.each([
    ['**:ORCHESTRATOR: TASK COMPLETE**', 'marker_decorated'],
    ['_:ORCHESTRATOR: QUESTION - which database?_', 'marker_decorated'],
    ['`:ORCHESTRATOR: BLOCKED - no access`', 'marker_decorated'],
    ['- **:ORCHESTRATOR: TASK COMPLETE**', 'marker_decorated'],
    ['**:ORCHESTRATOR: QUESTION** - which database?', 'marker_decorated'],
    ['**:ORCHESTRATOR:** BLOCKED - no access', 'marker_decorated'],
    [':ORCHESTRATOR: **TASK COMPLETE**', 'marker_decorated'],
    ['- **:ORCHESTRATOR: BLOCKED** - `npm` is missing', 'marker_decorated'],
    ['__:ORCHESTRATOR:__ _QUESTION_ - use my_table?', 'marker_decorated'],
    ['- :ORCHESTRATOR: TASK COMPLETE', 'marker_list'],
    ['- :ORCHESTRATOR: QUESTION - **which**?', 'marker_list'],
    ['  2. :ORCHESTRATOR: QUESTION - which?', 'marker_list'],
    ['• :ORCHESTRATOR: QUESTION - which?', 'marker_list'],
    ['✅ :ORCHESTRATOR: TASK COMPLETE', 'marker_list'],
    ['⚠️  :ORCHESTRATOR: BLOCKED - no access', 'marker_list'],
    ['• **:ORCHESTRATOR: QUESTION** - which?', 'marker_decorated'],
    ['- [ ] :ORCHESTRATOR: TASK COMPLETE', 'marker_list'],
    ['# :ORCHESTRATOR: QUESTION - which?', 'marker_heading'],
    ['### **:ORCHESTRATOR: TASK COMPLETE** ###', 'marker_heading'],
    ['## :orchestrator: blocked - no access', 'marker_heading'],
    ['| :ORCHESTRATOR: QUESTION - which? |', 'marker_table'],
    ['|tests|:ORCHESTRATOR: TASK COMPLETE|', 'marker_table'],
    ['| tests | **:ORCHESTRATOR: BLOCKED - no access** | 3 |', 'marker_table'],
    ['  | `:ORCHESTRATOR: BLOCKED - no access` |  ', 'marker_table'],
    [':ORCHESTRATOR:QUESTION - which?', 'marker_blank'],
    [':orchestrator:task complete', 'marker_blank'],
    [':orchestrator: task complete', 'marker_case'],
    [':ORCHESTRATOR: Task Complete - all done', 'marker_case'],
    ['Done. :ORCHESTRATOR: TASK COMPLETE', 'marker_inline'],
    ['❯ :ORCHESTRATOR: TASK COMPLETE', 'marker_inline'],
    [':ORCHESTRATOR: FINISHED', 'marker_words'],
    [':ORCHESTRATOR: TASK_COMPLETE', 'marker_words'],
    [':ORCHESTRATOR: BLOCKED no key', 'marker_dash'],
    [':ORCHESTRATOR: TASK COMPLETE all is done', 'marker_dash'],
    ['- :orchestrator: question which one?', 'marker_dash'],
  ])('%s gets the hint %s', (line, hint) => {
    expect(hintIn(line)).toMatchObject({ hint, seen: line.trim() });
  });

  it.each([
    ':ORCHESTRATOR: TASK COMPLETE',
    '   :ORCHESTRATOR: QUESTION - which?',
    ':ORCHESTRATOR: QUESTION - <question>',
    '# What :ORCHESTRATOR: TASK COMPLETE means',
    '| `:ORCHESTRATOR: TASK COMPLETE` | the task is done |',
    '| when | print :ORCHESTRATOR: TASK COMPLETE |',
    '- :ORCHESTRATOR: BLOCKED - <reason>',
    '**:ORCHESTRATOR: QUESTION - …**',
    'When you are done, print `:ORCHESTRATOR: TASK COMPLETE` on a line of its own.',
    'The orchestrator: it waits.',
    ':ORCHESTRATOR:QUESTION - <question>',
    ':ORCHESTRATOR: QUESTION - **which** of *these*?',
    '`:ORCHESTRATOR: QUESTION - text` asks a person.',
    '**:ORCHESTRATOR: BLOCKED** means that you cannot go on.',
    `${'x'.repeat(3000)} :ORCHESTRATOR: TASK COMPLETE`,
  ])('%s gets no hint', (line) => {
    expect(hintIn(line)).toBeNull();
  });

  it('fenceHintIn reports a fence with a similar name', () => {
    for (const name of [
      'orchestrator_message',
      'orchestrator-messages',
      'ORCHESTRATOR-MESSAGE',
      'orchestratormessage',
    ]) {
      expect(fenceHintIn(`\`\`\`${name}`)?.hint, name).toBe('fence_name');
    }
    expect(fenceHintIn('```orchestrator-message')).toBeNull();
    expect(fenceHintIn('```orchestration.yaml')).toBeNull();
    expect(fenceHintIn('```json')).toBeNull();
  });

  it('is cut if it is long', () => {
    const seen = hintIn(`Done: ${'x'.repeat(500)} :ORCHESTRATOR: TASK COMPLETE`)?.seen ?? '';
    expect([seen.length, seen.endsWith('…')]).toEqual([200, true]);
  });
});
