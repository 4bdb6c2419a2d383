/** A form for the value that a JSON Schema describes: the input of a run, or a preview of a result. */
import { useId, useState } from 'react';
import { isRecord } from '../../protocol/index.js';
import { line } from '../text/label-text.js';
import { emptyValue, type SchemaField } from './schema-fields.js';

interface FieldProps {
  readonly field: SchemaField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const MAX_ENTRIES = 50;

export function SchemaForm({ field, value, onChange }: FieldProps) {
  if (field.kind === 'object') return <ObjectFields field={field} value={value} onChange={onChange} />;
  return <OneField field={{ ...field, name: field.name || 'value' }} value={value} onChange={onChange} />;
}

function ObjectFields({ field, value, onChange }: FieldProps) {
  const given = isRecord(value) ? value : {};
  if (field.fields.length === 0) return <p className="muted small">It names no fields.</p>;
  return (
    <div className="schema-fields">
      {field.fields.map((one) => (
        <OneField
          key={one.name}
          field={one}
          value={given[one.name]}
          onChange={(next) => {
            const { [one.name]: _before, ...others } = given;
            onChange(next === undefined ? others : { ...others, [one.name]: next });
          }}
        />
      ))}
    </div>
  );
}

function OneField({ field, value, onChange }: FieldProps) {
  const id = useId();
  const { kind, name, type, about, isRequired } = field;
  const isGroup = kind === 'object' || kind === 'list';
  const label = (
    <>
      <span className="mono">{line(name, 80)}</span>
      <span className="muted small">
        {type}
        {isRequired ? ', required' : ''}
      </span>
    </>
  );
  return (
    <div className="schema-field">
      {isGroup ? (
        <fieldset>
          <legend className="row wraps">{label}</legend>
          {about !== '' && <p className="muted small">{line(about)}</p>}
          {kind === 'object' ? (
            <ObjectFields field={field} value={value} onChange={onChange} />
          ) : (
            <Entries field={field} value={value} onChange={onChange} />
          )}
        </fieldset>
      ) : (
        <>
          <label className="row wraps" htmlFor={id}>
            {label}
          </label>
          {about !== '' && <p className="muted small">{line(about)}</p>}
          <Control id={id} field={field} value={value} onChange={onChange} />
        </>
      )}
    </div>
  );
}

function Entries({ field, value, onChange }: FieldProps) {
  const entries = Array.isArray(value) ? value : [];
  const { entry } = field;
  if (!entry) return null;
  return (
    <div className="schema-fields">
      {entries.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other name
        <div className="schema-entry" key={at}>
          <div className="grow">
            <OneField
              field={{ ...entry, name: `${at + 1}`, isRequired: false }}
              value={one}
              onChange={(next) => onChange(entries.map((other, index) => (index === at ? (next ?? null) : other)))}
            />
          </div>
          <button
            type="button"
            className="button quiet"
            aria-label={`Remove entry ${at + 1} of ${line(field.name, 60)}`}
            onClick={() => onChange(entries.filter((_other, index) => index !== at))}
          >
            Remove
          </button>
        </div>
      ))}
      <div>
        <button
          type="button"
          className="button"
          disabled={entries.length >= MAX_ENTRIES}
          aria-label={`Add an entry to ${line(field.name, 60)}`}
          onClick={() => onChange([...entries, emptyValue(entry)])}
        >
          Add an entry
        </button>
      </div>
    </div>
  );
}

function Control({ id, field, value, onChange }: FieldProps & { readonly id: string }) {
  switch (field.kind) {
    case 'choice': {
      const at = field.choices.findIndex((one) => JSON.stringify(one) === JSON.stringify(value));
      return (
        <select
          id={id}
          className="field"
          value={at}
          onChange={({ target }) => onChange(field.choices[Number(target.value)])}
        >
          {at < 0 && <option value={-1}>choose…</option>}
          {field.choices.map((one, index) => (
            <option key={JSON.stringify(one)} value={index}>
              {line(typeof one === 'string' ? one : JSON.stringify(one), 120)}
            </option>
          ))}
        </select>
      );
    }
    case 'flag':
      return (
        <select
          id={id}
          className="field"
          value={value === undefined ? '' : String(value)}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'true')}
        >
          {value === undefined && <option value="">choose…</option>}
          <option value="true">yes</option>
          <option value="false">no</option>
        </select>
      );
    case 'number':
      return (
        <input
          id={id}
          className="field"
          type="number"
          step="any"
          value={typeof value === 'number' ? value : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
        />
      );
    case 'text':
      return (
        <input
          id={id}
          className="field"
          value={typeof value === 'string' ? value : ''}
          onChange={({ target }) => onChange(target.value === '' && !field.isRequired ? undefined : target.value)}
        />
      );
    default:
      return <JsonControl id={id} field={field} value={value} onChange={onChange} />;
  }
}

/** A field for any value, as JSON. Text that is not valid JSON yet is not used. */
function JsonControl({ id, value, onChange }: FieldProps & { readonly id: string }) {
  const [text, setText] = useState(() => (value === undefined ? '' : JSON.stringify(value)));
  const isJson = text.trim() === '' || isParsed(text);
  return (
    <>
      <input
        id={id}
        className="field mono"
        value={text}
        placeholder="JSON, for example [1, 2]"
        aria-invalid={!isJson}
        onChange={({ target }) => {
          setText(target.value);
          if (target.value.trim() === '') onChange(undefined);
          else if (isParsed(target.value)) onChange(JSON.parse(target.value));
        }}
      />
      {!isJson && <p className="tone-bad small">This is no JSON yet. Texts need double quotes.</p>}
    </>
  );
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
