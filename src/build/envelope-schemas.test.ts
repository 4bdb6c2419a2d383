import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { validateMessage } from '../protocol/index.js';

const PROTOCOL = join(import.meta.dirname, '../../protocol/envelope');
const ajv = new Ajv2020({ allErrors: true, strict: false });
const forms = Object.fromEntries(
  ['base', 'manager', 'partial', 'failed'].map((name) => [
    name,
    ajv.compile(JSON.parse(readFileSync(join(PROTOCOL, `${name}.schema.json`), 'utf8'))),
  ]),
);

const BASE = {
  status: 'success',
  summary: 'Done',
  deliverables: ['a.ts'],
  next_steps: [],
  extra: 1,
  metadata: { agent: 'coder', task_id: '1', duration_seconds: 2, more: true },
};
const subtasks = [{ id: 'sub-1', agent: 'coder', status: 'success', output: 'Done' }];
const issues = [{ type: 'incomplete', description: 'no email', impact: 'medium', blocking: false }];
const error = { type: 'DependencyError', message: 'no bcrypt', resolution: 'npm install bcrypt' };

it.each([
  ['a basic envelope', BASE, ['base']],
  ['an envelope of a manager', { ...BASE, subtasks }, ['base', 'manager']],
  ['a partial envelope', { ...BASE, status: 'partial', issues, completion_percentage: 80 }, ['base', 'partial']],
  ['a partial envelope without issues', { ...BASE, status: 'partial' }, ['base']],
  ['a failed envelope', { ...BASE, status: 'failed', error }, ['base', 'failed']],
  [
    'an envelope with an unknown impact',
    { ...BASE, status: 'partial', issues: [{ ...issues[0], impact: 'huge' }] },
    ['base'],
  ],
  ['an envelope without metadata', { ...BASE, metadata: {} }, []],
])('%s fits exactly the expected schemas', (_name, envelope, fitting) => {
  expect(Object.keys(forms).filter((name) => forms[name]?.(envelope))).toEqual(fitting);
});

it('an envelope is a valid message only if it fits the schema of its status', () => {
  const message = (data: object) => validateMessage('OUTPUT', { type: 'OUTPUT', data, human: '' });
  expect(message({ ...BASE, status: 'partial', issues })).toEqual([]);
  expect(message({ ...BASE, status: 'partial' })).toMatchObject([{ path: '$.data.issues' }]);
  expect(message({ ...BASE, status: 'failed', error })).toEqual([]);
  expect(message({ ...BASE, status: 'failed' })).toMatchObject([{ path: '$.data.error' }]);
});
