/**
 * Joins the replies to a program's terminal queries. Output with thousands of queries then costs the host one command
 * and one journal record for each piece of output that is read.
 *
 * In:   each reply, with the number of its query. The numbers grow.
 * Out:  the replies of one turn of the event loop as one text, in order, with the number of the last query.
 */
const MAX_CHARS = 32 * 1024;

type Reply = (query: number, text: string) => void;

/**
 * Returns a function that collects replies and passes them on together.
 *
 * @param send  Called with the joined text and the number of its last query.
 */
export function joinReplies(send: Reply): Reply {
  let last = 0;
  let waiting = '';
  const flush = (): void => {
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    send(last, text);
  };
  return (query, text) => {
    if (waiting === '') queueMicrotask(flush);
    else if (waiting.length + text.length > MAX_CHARS) flush();
    last = query;
    waiting += text;
  };
}
