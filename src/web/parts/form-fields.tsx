/** Fields of forms, each with its label, a hint, and what is wrong with it. */
import { type ReactNode, useId } from 'react';
import { line } from '../text/label-text.js';
import './form.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly errors?: readonly string[];
  readonly isReadOnly?: boolean;
  readonly isWide?: boolean;
}

interface LabelledProps extends FieldProps {
  readonly children: (about: {
    readonly id: string;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string;
  }) => ReactNode;
}

function Labelled({ label, hint = '', errors = [], isWide = false, children }: LabelledProps) {
  const id = useId();
  return (
    <div className={`form-field ${isWide ? 'is-wide' : ''}`}>
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': errors.length > 0, 'aria-describedby': `${id}-hint` })}
      <div id={`${id}-hint`} className="small">
        {errors.length > 0 ? (
          errors.slice(0, 5).map((words) => (
            <p key={words} className="tone-bad">
              {line(words)}
            </p>
          ))
        ) : (
          <p className="muted">{hint}</p>
        )}
      </div>
    </div>
  );
}

interface TextProps extends FieldProps {
  readonly value: string;
  readonly placeholder?: string;
  readonly list?: string;
  readonly onChange: (value: string) => void;
}

export function TextField({ value, placeholder, list, onChange, ...field }: TextProps) {
  return (
    <Labelled {...field}>
      {(about) => (
        <input
          {...about}
          className="field"
          value={value}
          placeholder={placeholder}
          list={list}
          readOnly={field.isReadOnly}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Labelled>
  );
}

type FolderProps = Pick<TextProps, 'value' | 'isReadOnly' | 'onChange'> & { readonly of: string };

/** @param of  Whose working directory it is. */
export function FolderField({ of, ...field }: FolderProps) {
  return (
    <TextField
      label="Folder"
      hint={`The working directory of ${of}: an absolute path. Default: your home directory.`}
      placeholder="/home/you/project"
      {...field}
    />
  );
}

export function NumberField({ value, onChange, ...field }: TextProps) {
  return (
    <Labelled {...field} hint={field.hint ?? 'Default: no limit.'}>
      {(about) => (
        <input
          {...about}
          className="field"
          inputMode="decimal"
          value={value}
          readOnly={field.isReadOnly}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Labelled>
  );
}

export function TextArea({
  value,
  rows,
  placeholder,
  isMono = false,
  onChange,
  ...field
}: TextProps & { readonly rows: number; readonly isMono?: boolean }) {
  return (
    <Labelled {...field}>
      {(about) => (
        <textarea
          {...about}
          className={`field ${isMono ? 'mono' : ''}`}
          rows={rows}
          value={value}
          placeholder={placeholder}
          readOnly={field.isReadOnly}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Labelled>
  );
}

interface ChoiceProps<T extends string> extends FieldProps {
  readonly value: T;
  readonly options: readonly (readonly [value: T, words: string])[];
  readonly onChange: (value: T) => void;
}

export function Choice<T extends string>({ value, options, onChange, ...field }: ChoiceProps<T>) {
  return (
    <Labelled {...field}>
      {(about) => (
        <select
          {...about}
          className="field"
          value={value}
          disabled={field.isReadOnly}
          onChange={({ target }) => {
            const chosen = options.find(([one]) => one === target.value);
            if (chosen) onChange(chosen[0]);
          }}
        >
          {options.map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
