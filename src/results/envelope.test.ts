/** Tests envelopes as results of runs. */
import { describe, expect, it } from 'vitest';
import { checkEnvelope } from './envelope.js';
import { envelopeInstructions } from './instructions.js';

const BASE = { status: 'success', summary: 'Done', deliverables: [], next_steps: [] };
const METADATA = { agent: 'coder', task_id: 'run_1', duration_seconds: 4 };
const envelope = (data: object, human = '## Done\n\nAll of it.'): string =>
  `<output>\n${JSON.stringify(data, null, 2)}\n\n---\n\n${human}\n</output>\n`;
const errorsOf = (text: string) => {
  const verdict = checkEnvelope(text);
  return verdict.ok ? [] : verdict.errors;
};

describe('an envelope as a result', () => {
  it('gives its JSON as value and its markdown as text for people, whatever is around it', () => {
    const value = { ...BASE, metadata: METADATA, extra: [1] };
    expect(checkEnvelope(`I am done.\n\n${envelope(value)}\nBye.`)).toEqual({
      ok: true,
      value,
      human: '## Done\n\nAll of it.',
    });
  });

  it('is the last valid one in the text', () => {
    const [first, last] = [
      { ...BASE, summary: 'First', metadata: METADATA },
      { ...BASE, metadata: METADATA },
    ];
    expect(checkEnvelope(envelope(first) + envelope(last))).toMatchObject({ value: last });
    expect(checkEnvelope(envelope(first) + envelope({ status: 'success' }))).toMatchObject({ value: first });
  });

  it('must have the fields that its status requires, and errors name their path', () => {
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

  it('may omit its duration', () => {
    const { duration_seconds: _, ...metadata } = METADATA;
    expect(checkEnvelope(envelope({ ...BASE, metadata }))).toMatchObject({ ok: true });
    expect(checkEnvelope(envelope({ ...BASE, metadata: { ...metadata, duration_seconds: 'long' } }))).toMatchObject({
      ok: true,
    });
    expect(errorsOf(envelope({ ...BASE, metadata: {} }))).toMatchObject([
      { path: '$.metadata.agent' },
      { path: '$.metadata.task_id' },
    ]);
  });

  it('reports a missing, unclosed or invalid envelope', () => {
    expect(errorsOf('All done.')).toEqual([
      { path: '$', message: 'No <output> envelope found but output_format requires one' },
    ]);
    expect(errorsOf(`<output>\n${JSON.stringify(BASE)}\n---\ntext`)).toEqual([
      { path: '$', message: 'The <output> envelope was not closed' },
    ]);
    expect(errorsOf('<output>\n{"status": }\n</output>')).toMatchObject([{ path: expect.stringMatching(/^\$/) }]);
  });

  it('may be in colours, and behind a byte order mark', () => {
    const value = { ...BASE, metadata: METADATA };
    const coloured = envelope(value).replaceAll(/^.+$/gm, '\x1b[32m$&\x1b[0m');
    expect(checkEnvelope(`\uFEFF${coloured}`)).toEqual({ ok: true, value, human: '## Done\n\nAll of it.' });
  });

  it('is not accepted from its own instructions', () => {
    const instructions = envelopeInstructions('coder "1"', 'run_1');
    expect(instructions).toContain('"agent": "coder \\"1\\"",\n    "task_id": "run_1",');
    expect(checkEnvelope(instructions).ok).toBe(false);
  });
});
