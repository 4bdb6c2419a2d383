/**
 * Reads a recording from a file or a pipe, gzipped or not, without holding it in memory.
 *
 * In:   bytes.
 * Out:  its events, in order, one after the other (a consumer may delay the next one). Then its header, or the problem
 *       with its line number. Invalid content never throws; a file that cannot be opened does.
 *
 * A recording of version 1 is a single document and is read as a whole. A gzipped file may expand without limit, so the
 * number of bytes that are read is limited.
 */

import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { errorMessage } from '../../protocol/index.js';
import { type CastEvent, type CastHeader, type CastProblem, CastReader, type CastStep } from './cast.js';

type CastOutcome = { readonly ok: true; readonly header: CastHeader } | CastProblem;
type TakeCastEvent = (event: CastEvent, header: CastHeader) => void | Promise<void>;

/** Limit of a recording: a small gzipped file may expand to any size. */
const MAX_RECORDING_CHARS = 1024 * 1024 * 1024;
/** A line is held in memory until its end, and a recording of version 1 is a single line. */
const MAX_LINE_CHARS = 64 * 1024 * 1024;
const NOTHING_IN_IT: CastProblem = { ok: false, line: 1, message: 'there is nothing in it' };
const GZIP = [0x1f, 0x8b];

/**
 * Reads a recording and passes on its events.
 *
 * @param take  Called for each event. If it returns a promise, the next event waits for it.
 * @returns The header; or the first problem, at which reading stopped.
 */
export async function readCast(source: AsyncIterable<Buffer>, take: TakeCastEvent): Promise<CastOutcome> {
  const reader = new CastReader();
  let line = 0;
  const give = async (step: CastStep): Promise<CastProblem | null> => {
    if (!step.ok) return step;
    for (const event of step.events) {
      if (!reader.header) break;
      const wait = take(event, reader.header);
      if (wait) await wait;
    }
    return null;
  };
  for await (const next of linesOf(source)) {
    line++;
    const problem = typeof next === 'string' ? await give(reader.push(next)) : { ok: false as const, line, ...next };
    if (problem) return problem;
  }
  const problem = line === 0 ? NOTHING_IN_IT : await give(reader.end());
  if (problem) return problem;
  const { header } = reader;
  if (!header) throw new Error('a recording that ends well has a header');
  return { ok: true, header };
}

/** Yields lines without their ends; an object gives the reason if reading stops early. */
async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<string | { readonly message: string }> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let chars = 0;
  const chunks = unzipped(source)[Symbol.asyncIterator]();
  for (;;) {
    let text: string;
    try {
      const { value, done } = await chunks.next();
      if (done) break;
      text = decoder.write(value);
    } catch (error) {
      const isZipped = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
      if (chars === 0 && !isZipped) throw error; // it could not be opened
      yield { message: `what follows cannot be read: ${errorMessage(error)}` };
      return;
    }
    if (chars === 0 && text.charCodeAt(0) === 0xfeff) text = text.slice(1); // a byte order mark
    chars += text.length;
    if (chars > MAX_RECORDING_CHARS || rest.length + text.length > MAX_LINE_CHARS) {
      yield { message: chars > MAX_RECORDING_CHARS ? 'a recording may have 1 GiB' : 'a line may have 64 MiB' };
      await chunks.return?.(undefined);
      return;
    }
    if (!text.includes('\n')) {
      rest += text; // joined once, when its end is there
      continue;
    }
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}

async function* unzipped(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  const whole = restOf(first.value, chunks);
  if (!GZIP.every((byte, at) => first.value[at] === byte)) {
    yield* whole;
    return;
  }
  const gunzip = createGunzip();
  const input = Readable.from(whole, { objectMode: false });
  input.on('error', (error) => gunzip.destroy(error));
  yield* input.pipe(gunzip) as AsyncIterable<Buffer>; // a gunzip stream yields buffers
}

async function* restOf(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}
