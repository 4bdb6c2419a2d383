/** Renders the age of something and updates it. One timer serves all ages of the page. */
import { type PointerEvent, useSyncExternalStore } from 'react';
import { spanWords } from '../../protocol/index.js';

const BEAT_MS = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, BEAT_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Created once, because creating a formatter takes long. */
const WHEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Formats the tooltip on pointer-enter only, so that scrolling formats no dates. */
function showWhen({ currentTarget }: PointerEvent<HTMLTimeElement>): void {
  currentTarget.title = WHEN.format(new Date(currentTarget.dateTime));
}

export function Age({ since }: { readonly since: string }) {
  const words = useSyncExternalStore(subscribe, () => ageWords(since, now));
  return (
    <time className="age muted" dateTime={since} onPointerEnter={showWhen}>
      {words}
    </time>
  );
}

/** Returns, for example, `now`, `40s`, `12m`, `3h`, `5d`. */
function ageWords(since: string, at: number): string {
  const seconds = Math.max(0, (at - Date.parse(since)) / 1000);
  if (seconds < 5) return 'now';
  return spanWords(seconds);
}

/** Shows the time left until a moment, in whole seconds; at least 0. */
export function Countdown({ until }: { readonly until: number }) {
  const left = useSyncExternalStore(subscribe, () => Math.max(0, Math.ceil((until - now) / 1000)));
  return <span>{spanWords(left)}</span>;
}

/** Returns the time between two moments, for example `400ms`, `4.2s`, `12m`. */
export function durationWords(from: string, to: string): string {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from));
  if (ms < 1000) return `${ms}ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)}s` : spanWords(ms / 1000);
}

interface TookProps {
  readonly of: { readonly created_at: string; readonly ended_at: string | null };
  /** The verb for its beginning. */
  readonly word: 'created' | 'started';
}

/** Shows how long ago something began, or how long it took. */
export const Took = ({ of: { created_at, ended_at }, word }: TookProps) =>
  ended_at === null ? (
    <>
      {word} <Age since={created_at} />
    </>
  ) : (
    `took ${durationWords(created_at, ended_at)}`
  );
