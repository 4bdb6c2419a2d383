import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Message } from '../generated/types.js';
import { MESSAGES, saidOfSession } from '../messages/index.js';
import { newSession } from '../new-session.js';
import { extraOf, messageLine, messageWords, type Said } from './message-words.js';
import { stepsOfSession, stepsWords } from './steps-words.js';

/** Returns `title: text` of each section. */
const sectionsOf = (said: Said): string[] =>
  messageWords(said).sections.map(({ title, text }) => (title === null ? text : `${title}: ${text}`));

test('messageWords lists the subject, the documented fields and unknown fields', () => {
  const data = {
    message: 'No test',
    severity: 'warning',
    file: 'a.ts',
    recoverable: false,
    retries: 3,
    why: { a: [1, 'x'] },
  };
  expect(messageWords({ type: 'ERROR', data }).subject).toBe('No test');
  expect(sectionsOf({ type: 'ERROR', data })).toEqual([
    'Severity: warning',
    'File: a.ts',
    'Recoverable: no',
    'retries: 3',
    'why: a:\n  - 1\n  x',
  ]);
});

test('lists the context and extra fields of a question, but neither its options nor its default', () => {
  const data = {
    question: 'Which?',
    options: ['a'],
    default: 'a',
    deadlineSeconds: 9,
    context: '**x**',
    priority: 'high',
  };
  expect(sectionsOf({ type: 'QUESTION', data })).toEqual(['**x**', 'priority: high']);
  expect(messageWords({ type: 'QUESTION', data }).sections.map(({ isMarkdown }) => isMarkdown)).toEqual([true, false]);
});

test('lists fields beside the data, but never a key', () => {
  const message = { type: 'QUESTION' as const, data: { question: 'Which?' }, id: 'q1', ticket: 7, key: 'k3y' };
  expect(extraOf(message)).toEqual({ extra: { ticket: 7 } });
  expect(sectionsOf({ ...message, ...extraOf(message) })).toEqual(['ticket: 7']);
  expect(extraOf({ type: 'QUESTION', data: {} })).toEqual({});
});

test('omits no value of a documented example of any type', () => {
  const folder = join(import.meta.dirname, '../../../protocol/messages');
  const elsewhere = new Set(['options', 'default', 'deadlineSeconds']);
  const leaves = (value: unknown): string[] =>
    typeof value !== 'object' || value === null
      ? [value === true ? 'yes' : value === false ? 'no' : String(value)]
      : Object.values(value).flatMap(leaves);
  const examples = readdirSync(folder).flatMap(
    (file) => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { examples: Message[] }).examples,
  );
  expect(examples.length).toBeGreaterThanOrEqual(Object.keys(MESSAGES).length);
  for (const said of examples) {
    const { subject, sections } = messageWords(said);
    const text = [subject, ...sections.map((section) => section.text)].join('\n');
    const shown = Object.entries(said.data).filter(([name]) => !elsewhere.has(name));
    for (const leaf of [...shown.flatMap(([, value]) => leaves(value)), said.human ?? '']) expect(text).toContain(leaf);
  }
});

test('lists both parts of an envelope, the JSON part first', () => {
  const data = {
    status: 'failed',
    summary: 'No',
    deliverables: ['a.ts', 'b.ts'],
    next_steps: ['install'],
    own: true,
    error: { type: 'DependencyError', message: 'no bcrypt', resolution: 'npm install' },
    issues: [{ type: 'gap', description: 'no email', impact: 'medium', blocking: false, since: 'May' }],
    subtasks: [{ id: 's1', agent: 'coder', status: 'success', output: 'done' }],
    metadata: { agent: 'x', task_id: 't', duration_seconds: 4 },
  };
  expect(sectionsOf({ type: 'OUTPUT', data, human: '## Why\n\ntext' })).toEqual([
    'Status: failed',
    'Error: DependencyError: no bcrypt\nResolution: npm install',
    'Issues: - gap (medium, not blocking): no email\n  since: May',
    'Deliverables: a.ts\nb.ts',
    'Next steps: install',
    'Subtasks: - s1, coder, success: done',
    'Metadata: agent: x\ntask_id: t\nduration_seconds: 4',
    'own: yes',
    '## Why\n\ntext',
  ]);
  expect(messageLine({ type: 'OUTPUT', data })).toEqual({
    label: 'failed',
    style: 'red',
    text: 'No: no bcrypt (2 deliverables, 1 issue, 1 next step)',
  });
});

test('leaves out fields that hold only blanks', () => {
  const data = { reason: 'No key', details: '\n ', suggestedAction: '   ' };
  expect(sectionsOf({ type: 'BLOCKED', data })).toEqual([]);
  expect(sectionsOf({ type: 'OUTPUT', data: { status: 'failed', summary: 'x', next_steps: [' '] } })).toEqual([
    'Status: failed',
  ]);
});

test('keeps the lines of a text within an envelope, and shows no empty parts', () => {
  const data = {
    error: { type: 'E', message: 'first\n\nlast', resolution: '' },
    issues: [{ type: 'gap', description: 'one\ntwo', impact: 'low', blocking: true }],
    subtasks: [{ id: 's1', agent: 'coder', status: 'failed', output: '' }, { output: 'a\nb' }],
  };
  expect(sectionsOf({ type: 'OUTPUT', data })).toEqual([
    'Error: E:\n  first\n\n  last',
    'Issues: - gap (low, blocking):\n  one\n  two',
    'Subtasks: - s1, coder, failed\n- a\n  b',
  ]);
});

test('removes control and bidi characters from all texts of an agent, field names included', () => {
  const evil = 'a\u001b[31mb\u202ec';
  const data = { [evil]: { [evil]: [evil, { [evil]: evil }] }, message: evil, file: evil, severity: evil };
  for (const type of Object.keys(MESSAGES) as Message['type'][]) {
    const { subject, sections } = messageWords({ type, data: { ...data, issues: [data], error: data }, human: evil });
    const texts = [subject, ...sections.flatMap(({ title, text }) => [title ?? '', text])];
    expect([...texts, messageLine({ type, data }).text, messageLine({ type, data }).label].join('')).not.toMatch(
      /[\u001b\u202e]/,
    );
  }
});

test('messageLine counts files and steps', () => {
  const line = (type: Message['type'], data: Said['data']) => messageLine({ type, data }).text;
  const steps = { progress: 74.6, currentStep: 'Tests', totalSteps: 4, completedSteps: ['a', 'b', 'c'] };
  expect(line('STATUS_UPDATE', steps)).toBe('75% Tests (3 of 4 steps)');
  expect(line('STATUS_UPDATE', { progress: 5 })).toBe('5%');
  expect(line('TASK_COMPLETE', { summary: 'Done', filesChanged: ['a'], commitHash: 'abc' })).toBe(
    'Done (1 file, commit abc)',
  );
  expect(line('ERROR', { message: 'No', recoverable: true, file: 'a.ts' })).toBe('No (a.ts, recoverable)');
});

test('a session keeps its steps until its task completes, and then the completion', () => {
  const start = newSession({
    id: 'ses_1',
    name: 'a',
    adapter: 'shell',
    command: ['a'],
    cwd: '/',
    pid: 1,
    key_required: false,
    size: { cols: 80, rows: 24 },
    created_at: '2026-01-01T00:00:00.000Z',
  });
  const says = (session: typeof start, type: Message['type'], data: Message['data']) => ({
    ...session,
    ...saidOfSession(session, { type, data }),
  });
  const begun = says(start, 'STATUS_UPDATE', { progress: 50, totalSteps: 4, completedSteps: ['a', 'b'] });
  expect(stepsWords(stepsOfSession(begun))).toBe('2 of 4 steps');
  const later = says(begun, 'STATUS_UPDATE', { currentStep: 'c' });
  expect(later).toMatchObject({ progress: 50, current_step: 'c', total_steps: 4, completed_steps: ['a', 'b'] });
  const done = says(later, 'TASK_COMPLETE', { summary: 'All', filesChanged: ['x.ts'], commitHash: 'abc' });
  expect(stepsWords(stepsOfSession(done))).toBe('');
  expect(done).toMatchObject({ progress: 100, last_completion: { filesChanged: ['x.ts'], commitHash: 'abc' } });
  // Old steps are removed if the agent does not mention steps.
  expect(says(start, 'TASK_COMPLETE', { summary: 'All' })).not.toHaveProperty('total_steps');
});

test.each([
  [{ status: 'failed', metadata: { completion_percentage: 40 } }, 40],
  [{ status: 'partial', completion_percentage: 70, metadata: { completion_percentage: 40 } }, 70],
  [{ status: 'failed', metadata: { agent: 'a' } }, null],
  [{ status: 'success' }, 100],
])('the envelope %j after a completed task sets the progress to %s', (data, progress) => {
  const session = { ...newSession({ id: 'ses_1', name: 'a', command: ['a'], cwd: '/' } as never), progress: 100 };
  expect(saidOfSession(session, { type: 'OUTPUT', data })).toMatchObject({ progress });
});
