/** A JSON value in colours, as JSON has it. Text of an agent is never interpreted as HTML. */
import { type ReactNode, useMemo } from 'react';
import { displayText } from '../../protocol/index.js';
import { ScrollRegion } from '../parts/scroll-region.js';

/** A longer text is cut. */
const MAX_CHARS = 200_000;
const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** More tokens would be slow to show in colours. */
const MAX_TOKENS = 5_000;

export function JsonValue({ value, label }: { readonly value: unknown; readonly label: string }) {
  const parts = useMemo(() => coloured(value), [value]);
  return (
    <ScrollRegion className="block" label={label}>
      <pre>{parts}</pre>
    </ScrollRegion>
  );
}

function coloured(value: unknown): ReactNode[] {
  const whole = JSON.stringify(value, null, 2) ?? '';
  const text = displayText(whole.length > MAX_CHARS ? `${whole.slice(0, MAX_CHARS)}…` : whole);
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (parts.length > MAX_TOKENS) break;
    const [token, string, colon] = match;
    parts.push(text.slice(at, match.index));
    const tone = string === undefined ? 'tone-warn' : colon === undefined ? 'tone-good' : 'tone-info';
    parts.push(
      <span key={match.index} className={tone}>
        {string ?? token}
      </span>,
    );
    at = match.index + (string ?? token).length;
  }
  parts.push(text.slice(at));
  return parts;
}
