import { describe, expect, test } from 'vitest';
import { type Blueprint, type BlueprintDefinition, definitionOf } from '../../protocol/index.js';
import { draftOf, fieldOf, NEW_AGENT, readDraft } from './draft.js';

const blueprint = (definition: BlueprintDefinition): Blueprint => ({
  description: '',
  type: 'autonomous',
  project: null,
  source: 'stored',
  file: null,
  shadows: false,
  created_at: null,
  updated_at: null,
  ...definition,
});

describe('a draft', () => {
  test('of a blueprint converts back to the same definition', () => {
    const whole = blueprint({
      name: 'all',
      description: 'of it',
      instructions: 'Be brief.\n',
      prompt: 'Go',
      adapter: 'claude',
      model: 'm',
      args: ['--one', '--two x'],
      env: ['A', 'B'],
      tools: ['ask', 'spawn_agent'],
      interactive: false,
      input_schema: { type: 'object' },
      output_schema: { type: 'string' },
      limits: { timeout: 1.5, max_turns: 3, max_cost: 2 },
    });
    expect(readDraft(draftOf(whole), whole)).toEqual({ definition: definitionOf(whole), problems: {} });
    const small = blueprint({ name: 'small', output_format: 'envelope' });
    expect(readDraft(draftOf(small), small).definition).toEqual(definitionOf(small));
  });

  test('keeps the text of its schema while its result is not a schema', () => {
    const draft = { ...draftOf(blueprint({ name: 'a', output_schema: { type: 'string' } })), result: 'text' as const };
    expect(readDraft(draft, null).definition).not.toHaveProperty('output_schema');
    expect(JSON.parse(draft.outputSchema)).toEqual({ type: 'string' });
  });

  test('names the fields that cannot be parsed', () => {
    const draft = { ...NEW_AGENT, name: 'a', result: 'schema' as const, outputSchema: '{', maxTurns: 'many' };
    expect(Object.keys(readDraft(draft, null).problems).sort()).toEqual(['maxTurns', 'outputSchema']);
  });

  test('fieldOf finds the field for a path of the definition', () => {
    expect(['$.output_schema.type', '$.limits.max_cost', '$.name', '$.odd', '$'].map(fieldOf)).toEqual([
      'outputSchema',
      'maxCost',
      'name',
      null,
      null,
    ]);
  });
});
