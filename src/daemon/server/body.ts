/**
 * Reads the JSON body of requests without holding up others.
 *
 * The time that JSON takes depends on the number of its values, not on its bytes: 3 MB of short keys block the event
 * loop for half a second. So bodies with more than MAX_VALUES values are refused before they are parsed. Large bodies
 * are parsed one at a time. After each, the daemon pauses for as long as it took to parse. So large bodies use at most
 * half of the event loop's time, however many callers send them.
 */
import { readJson } from '../../ears/index.js';
import { OrchdError } from '../../protocol/index.js';

/** Maximum number of JSON values in a body: far more than any operation needs. */
export const MAX_VALUES = 50_000;
/** Bodies of more characters are parsed one at a time. */
const LARGE_CHARS = 32 * 1024;

type Done = (error: Error | null, value?: unknown) => void;

interface BodyPorts {
  /** Milliseconds. */
  readonly now?: () => number;
  readonly later?: (run: () => void, ms: number) => void;
}

export function createBodyReader(ports: BodyPorts = {}): (body: string, done: Done) => void {
  const { now = () => performance.now(), later = (run, ms) => void setTimeout(run, ms) } = ports;
  const waiting: (() => void)[] = [];
  let isBusy = false;
  const next = (): void => {
    const read = waiting.shift();
    isBusy = read !== undefined;
    if (!read) return;
    const since = now();
    read(); // `done` checks the value and begins the operation, which takes as long
    later(next, now() - since);
  };
  return (body, done) => {
    if (body.length <= LARGE_CHARS) {
      parse(body, done);
      return;
    }
    waiting.push(() => parse(body, done));
    if (isBusy) return;
    isBusy = true;
    setImmediate(next);
  };
}

function parse(body: string, done: Done): void {
  let value: unknown;
  try {
    value = read(body);
  } catch (error) {
    done(error as Error); // read throws nothing else
    return;
  }
  done(null, value);
}

/** @throws {OrchdError} ORCHD_TOO_LARGE, ORCHD_INVALID */
function read(body: string): unknown {
  if (body === '') return undefined;
  if (body.length > MAX_VALUES && hasManyValues(body))
    throw new OrchdError('ORCHD_TOO_LARGE', `the body has more than ${MAX_VALUES} values`);
  const reading = readJson(body);
  if (reading.ok) return reading.value;
  throw new OrchdError('ORCHD_INVALID', `the body is not JSON: ${reading.error.message}`, { errors: [reading.error] });
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/** True if a text has more than MAX_VALUES commas and opening brackets outside of its strings. */
function hasManyValues(text: string): boolean {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInString = !isInString;
    else if (isInString) {
      if (code === BACKSLASH) at++;
    } else if ((code === COMMA || code === BRACKET || code === BRACE) && ++count > MAX_VALUES) return true;
  }
  return false;
}
