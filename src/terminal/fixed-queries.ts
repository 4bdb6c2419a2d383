/**
 * Replies to queries that do not depend on the content of the screen (line-sequences.ts). A query may follow sequences
 * that set the modes it asks for.
 */
import type { Size } from '../protocol/index.js';
import { Screen } from './screen.js';

/** Replies by query and, for queries of the size, by size. */
const replies = new Map<string, readonly string[]>();
const MAX_REPLIES = 256;
const SIZE_QUERY = /\[1[48]t$/;
const SMALL: Size = { cols: 2, rows: 1 };

/** Returns the replies of a terminal of this size to these queries, in order. */
export function repliesTo(queries: readonly string[], size: Size): string[] {
  return queries.flatMap((query) => replyTo(query, SIZE_QUERY.test(query) ? size : SMALL));
}

function replyTo(query: string, { cols, rows }: Size): readonly string[] {
  const name = `${cols}x${rows} ${query}`;
  const known = replies.get(name);
  if (known) return known;
  const reply: string[] = [];
  const screen = new Screen({ cols, rows, scrollbackLines: 0, onReply: (text) => reply.push(text) });
  screen.feed(Buffer.from(query));
  screen.dispose();
  if (replies.size >= MAX_REPLIES) replies.clear();
  replies.set(name, reply);
  return reply;
}
