/** Replies to the queries that every screen answers in the same way (`FIXED_QUERY` in line-sequences.ts). */
import { createScreen } from './screen.js';

/** Replies by query. There are few, because `FIXED_QUERY` lists all queries. */
const replies = new Map<string, readonly string[]>();

/** Returns the terminal's replies to these queries, in order. */
export function repliesTo(queries: readonly string[]): string[] {
  return queries.flatMap(replyTo);
}

function replyTo(query: string): readonly string[] {
  const known = replies.get(query);
  if (known) return known;
  const reply: string[] = [];
  const screen = createScreen({ cols: 2, rows: 1, scrollbackLines: 0, onReply: (text) => reply.push(text) });
  screen.feed(Buffer.from(query));
  screen.dispose();
  replies.set(query, reply);
  return reply;
}
