/** Envelopes as results. */
import { describe, expect, it } from 'vitest';
import { judgeEnvelope } from './envelope.js';
import { envelopeInstructions } from './instructions.js';

const BASE = { status: 'success', summary: 'Done', deliverables: [], next_steps: [] };
const METADATA = { agent: 'coder', task_id: 'run_1', duration_seconds: 4 };
const envelope = (data: object, human = '## Done\n\nAll of it.'): string =>
  `<output>\n${JSON.stringify(data, null, 2)}\n\n---\n\n${human}\n</output>\n`;
const errorsOf = (text: string) => {
  const verdict = judgeEnvelope(text);
  return verdict.ok ? [] : verdict.errors;
};

describe('an envelope as a result', () => {
  it('gives its JSON to programs and its markdown to people, whatever stands around it', () => {
    const value = { ...BASE, metadata: METADATA, extra: [1] };
    expect(judgeEnvelope(`I am done.\n\n${envelope(value)}\nBye.`)).toEqual({
      ok: true,
      value,
      human: '## Done\n\nAll of it.',
    });
  });

  it('is the last one that fits', () => {
    const [first, last] = [
      { ...BASE, summary: 'First', metadata: METADATA },
      { ...BASE, metadata: METADATA },
    ];
    expect(judgeEnvelope(envelope(first) + envelope(last))).toMatchObject({ value: last });
    expect(judgeEnvelope(envelope(first) + envelope({ status: 'success' }))).toMatchObject({ value: first });
  });

  it('must have what its status asks for, and says where something is wrong', () => {
    expect(errorsOf(envelope({ ...BASE, status: 'partial', metadata: METADATA }))).toEqual([
      { path: '$.issues', message: "'issues' is a required property" },
    ]);
    expect(errorsOf(envelope({ ...BASE, status: 'failed', metadata: METADATA, error: { type: 'E' } }))).toEqual([
      { path: '$.error.message', message: "'message' is a required property" },
      { path: '$.error.resolution', message: "'resolution' is a required property" },
    ]);
    expect(errorsOf(envelope({ ...BASE, status: 'ok', metadata: METADATA }))).toEqual([
      { path: '$.status', message: "'ok' is not one of ['success', 'partial', 'failed']" },
    ]);
  });

  it('need not know how long it took', () => {
    const { duration_seconds: _, ...metadata } = METADATA;
    expect(judgeEnvelope(envelope({ ...BASE, metadata }))).toMatchObject({ ok: true });
    expect(judgeEnvelope(envelope({ ...BASE, metadata: { ...metadata, duration_seconds: 'long' } }))).toMatchObject({
      ok: true,
    });
    expect(errorsOf(envelope({ ...BASE, metadata: {} }))).toMatchObject([
      { path: '$.metadata.agent' },
      { path: '$.metadata.task_id' },
    ]);
  });

  it('that is not there, not closed or no JSON is an error of its own', () => {
    expect(errorsOf('All done.')).toEqual([
      { path: '$', message: 'No <output> envelope found but output_format requires one' },
    ]);
    expect(errorsOf(`<output>\n${JSON.stringify(BASE)}\n---\ntext`)).toEqual([
      { path: '$', message: 'The <output> envelope was not closed' },
    ]);
    expect(errorsOf('<output>\n{"status": }\n</output>')).toMatchObject([{ path: expect.stringMatching(/^\$/) }]);
  });

  it('is not the example in its own instructions', () => {
    const instructions = envelopeInstructions('coder "1"', 'run_1');
    expect(instructions).toContain('"agent": "coder \\"1\\"",\n    "task_id": "run_1",');
    expect(judgeEnvelope(instructions).ok).toBe(false);
  });
});
