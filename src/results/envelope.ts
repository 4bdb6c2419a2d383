/**
 * Envelopes as results: an agent's final text must contain an `<output>` envelope. Pure.
 *
 * In:   the text.
 * Out:  its JSON part and its markdown, or the errors. The last valid envelope is the result. If none is valid, the
 *       errors are those of the last one. `duration_seconds` is not checked, because only the agent knows it.
 */
import { readJson, readText, type Utterance } from '../ears/index.js';
import { type Run, type SchemaError, validateMessage, withoutSequences } from '../protocol/index.js';
import { ownText, type PossibleEcho } from './possible-echo.js';

type EnvelopeVerdict =
  | { readonly ok: true; readonly value: Run['result_data']; readonly human: string }
  | { readonly ok: false; readonly errors: readonly SchemaError[] };

const NO_ENVELOPE: SchemaError = {
  path: '$',
  message: 'No <output> envelope found but output_format requires one',
};
const UNCLOSED: SchemaError = { path: '$', message: 'The <output> envelope was not closed' };
const UNLOOKED = '$.metadata.duration_seconds';

/**
 * Returns the last valid envelope of a text, or the errors of its last envelope.
 *
 * @param echo  Text that the program may only have repeated. Envelopes in it do not count.
 */
export function checkEnvelope(printed: string, echo: PossibleEcho | null = null): EnvelopeVerdict {
  const text = withoutSequences(printed);
  const isOwn = ownText(text, echo);
  let first: EnvelopeVerdict | null = null;
  for (const utterance of readText(text).toReversed()) {
    if (!isOwn(utterance.from, utterance.to)) continue;
    const verdict = verdictOn(utterance);
    if (verdict?.ok) return verdict;
    first ??= verdict;
  }
  return first ?? { ok: false, errors: [NO_ENVELOPE] };
}

function verdictOn(utterance: Utterance): EnvelopeVerdict | null {
  if (utterance.form === 'broken' && utterance.source === 'envelope') return { ok: false, errors: [UNCLOSED] };
  if (utterance.form !== 'envelope') return null;
  const { json, human } = utterance;
  const reading = readJson(json, true);
  if (!reading.ok) return { ok: false, errors: [reading.error] };
  const errors = validateMessage('OUTPUT', { type: 'OUTPUT', data: reading.value, human })
    .map(({ path, message }) => ({ path: path.replace(/^\$\.data/, '$'), message }))
    .filter(({ path }) => path !== UNLOOKED);
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, value: reading.value as Run['result_data'], human }; // parsed from JSON
}
