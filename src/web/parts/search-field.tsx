/** A field that filters a list. Esc and Enter leave it, so that the keys of the page work again. */
import type { RefObject } from 'react';
import { Icon } from './icon.js';

interface SearchFieldProps {
  /** The name of the field for screen readers. */
  readonly label: string;
  readonly placeholder: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SearchField({ label, placeholder, field, value, onChange }: SearchFieldProps) {
  return (
    <span className="search grow">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        className="field"
        placeholder={placeholder}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' || event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    </span>
  );
}
