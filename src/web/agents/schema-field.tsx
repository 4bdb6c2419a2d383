/**
 * A JSON Schema as a part of the agent's form: a switch, the editor, its problems, and the schema as a form.
 *
 * The daemon judges schemas. The page itself knows only whether a text is JSON, because its policy forbids the code
 * that a validator would make.
 */
import { lazy, type ReactNode, Suspense, useCallback, useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import type { SchemaError } from '../../protocol/index.js';
import { placeOf, prettify, readJsonText, type TextProblem } from '../code/json-text.js';
import { JsonValue } from '../text/json-value.js';
import { line } from '../text/label-text.js';
import { emptyValue, formOf } from './schema-fields.js';
import { SchemaForm } from './schema-form.js';

const SchemaEditor = lazy(() => import('../code/schema-editor.js'));

interface SchemaFieldProps {
  readonly title: string;
  readonly about: ReactNode;
  readonly isOn: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** The errors that the daemon found in the schema, with paths from the schema's root. */
  readonly errors: readonly SchemaError[];
  /** True while the daemon has not yet judged this text. */
  readonly isChecking: boolean;
  readonly isReadOnly: boolean;
  readonly onSave: () => void;
}

export function SchemaFieldset(props: SchemaFieldProps) {
  const { title, about, isOn, onSwitch, isReadOnly } = props;
  const id = useId();
  return (
    <section className="form-part" aria-labelledby={id}>
      <div className="part-title">
        <h2 id={id} className="grow">
          {title}
        </h2>
        <label className="switch">
          <input
            type="checkbox"
            role="switch"
            aria-label={title}
            aria-checked={isOn}
            checked={isOn}
            disabled={isReadOnly}
            onChange={({ target }) => onSwitch(target.checked)}
          />
          <span aria-hidden="true">{isOn ? 'On' : 'Off'}</span>
        </label>
      </div>
      <p className="muted small">{about}</p>
      {isOn && <SchemaEditing {...props} />}
    </section>
  );
}

function SchemaEditing({ title, text, onChange, errors, isChecking, isReadOnly, onSave }: SchemaFieldProps) {
  const [isPreviewed, setPreviewed] = useState(true);
  const select = useRef<(from: number, to: number) => void>(() => {});
  const onReady = useCallback((fn: (from: number, to: number) => void) => {
    select.current = fn;
  }, []);
  const reading = useMemo(() => readJsonText(text), [text]);
  const problems = useMemo<readonly TextProblem[]>(() => {
    if (!reading.ok) return reading.problems;
    const found = errors.map(({ path, message }) => ({
      ...placeOf(text, path),
      severity: 'error' as const,
      message: `${path}: ${message}`,
    }));
    return [...found, ...reading.warnings];
  }, [reading, errors, text]);
  const tidy = reading.ok ? prettify(text) : text;
  return (
    <div className="schema-editing">
      <div className="schema-code">
        <Suspense fallback={<div className="code-wait" aria-busy="true" />}>
          <SchemaEditor
            value={text}
            label={`${title}, as JSON Schema`}
            problems={problems}
            isReadOnly={isReadOnly}
            onChange={onChange}
            onSave={onSave}
            onReady={onReady}
          />
        </Suspense>
        <div className="row wraps schema-foot">
          <Verdict problems={problems} isChecking={isChecking && reading.ok} isJson={reading.ok} />
          <span className="grow" />
          {!isReadOnly && (
            <button
              type="button"
              className="button"
              disabled={!reading.ok || tidy === text}
              title={reading.ok ? 'One field per line' : 'Only JSON can be prettified'}
              onClick={() => onChange(tidy)}
            >
              Prettify
            </button>
          )}
          <button
            type="button"
            className="button quiet"
            aria-expanded={isPreviewed}
            onClick={() => setPreviewed(!isPreviewed)}
          >
            {isPreviewed ? 'Hide the form' : 'Show as a form'}
          </button>
        </div>
        {problems.length > 0 && (
          <ul className="problems" aria-label={`Problems of ${title}`}>
            {problems.slice(0, 50).map(({ from, to, severity, message }) => (
              <li key={`${from} ${message}`}>
                <button type="button" className="problem" onClick={() => select.current(from, to)}>
                  <span className={severity === 'error' ? 'tone-bad' : 'tone-warn'}>{severity}</span>
                  <span className="muted mono">line {lineAt(text, from)}</span>
                  <span className="grow">{line(message)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {isPreviewed && <FormPreview text={text} />}
    </div>
  );
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

interface VerdictProps {
  readonly problems: readonly TextProblem[];
  readonly isChecking: boolean;
  readonly isJson: boolean;
}

function Verdict({ problems, isChecking, isJson }: VerdictProps) {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const [tone, words] =
    errors > 0
      ? ['tone-bad', isJson ? `This is no JSON Schema: ${count(errors)}` : 'This is no JSON']
      : isChecking
        ? ['tone-dim', 'Checking…']
        : ['tone-good', 'A valid JSON Schema'];
  return (
    <span className={`${tone} verdict`} role="status">
      {words}
    </span>
  );
}

const count = (errors: number): string => (errors === 1 ? 'one error' : `${errors} errors`);

/**
 * Shows the form that the schema produces, with the fields that the agent has to fill in. While the text is not JSON,
 * the last valid one is shown.
 */
function FormPreview({ text }: { readonly text: string }) {
  const deferred = useDeferredValue(text);
  const last = useRef<unknown>({});
  const form = useMemo(() => {
    const reading = readJsonText(deferred);
    if (reading.ok) last.current = reading.value;
    return formOf(last.current);
  }, [deferred]);
  const [filled, setFilled] = useState<unknown>(undefined);
  const value = filled === undefined ? emptyValue(form) : filled;
  return (
    <section className="schema-preview" aria-label="Form preview">
      <p className="muted small">What the schema asks for, as a form. What you fill in here is not saved.</p>
      <SchemaForm field={form} value={value} onChange={setFilled} />
      <JsonValue value={value} label="The value of the form" />
    </section>
  );
}
