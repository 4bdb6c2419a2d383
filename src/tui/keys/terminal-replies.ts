/**
 * Removes the terminal's own replies from what the person types. A session's program never asked this terminal (orchd
 * answers its queries, see src/terminal/queries.ts), so late replies would arrive in the program as typed text.
 *
 * In:   chunks of input, cut anywhere.
 * Out:  the same without replies, and the colours that this file has queried.
 * Reports that programs subscribe to are kept: mouse, focus, paste, size, colour scheme. An incomplete reply at the end
 * of a chunk is held back if its beginning cannot be a key.
 */

/** Queries the foreground and background colours. */
export const ASK_COLOURS = '\x1b]10;?\x1b\\\x1b]11;?\x1b\\';

const REPLY = new RegExp(
  [
    '\\[[?>=][\\d;]*(?:\\$y|[cuS])', // attributes, modes, keyboard flags, graphics
    '\\[\\?(?!997;)[\\d;]*n', // status; 997 is the colour scheme, which programs subscribe to
    '\\[[\\d;]+\\$y',
    '\\[[468];\\d+;\\d+t', // sizes
    '\\]\\d+;[^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)', // colours, clipboard
    'P[^\\x1b]*\\x1b\\\\', // name, capabilities
    '_G[^\\x1b]*\\x1b\\\\', // images
  ]
    .map((body) => `\\x1b${body}`)
    .join('|'),
  'g',
);
/** Matches an incomplete reply at the end of a chunk. */
const BEGUN = /\x1b(?:\[[?>][\d;]*\$?|\]\d+(?:;[^\x07\x1b]*\x1b?)?|P(?:>\||[01][+$])[^\x1b]*\x1b?|_G[^\x1b]*\x1b?)$/;
const MAX_HELD_CHARS = 4_096;
const COLOUR = /^\x1b\](1[01]);(rgb:[\da-f]{1,4}(?:\/[\da-f]{1,4}){2})/i;

export interface TerminalColours {
  readonly foreground?: string;
  readonly background?: string;
}

export function createReplyFilter(onColour: (colours: TerminalColours) => void): (chunk: Buffer) => Buffer {
  let held = '';
  return (chunk) => {
    if (held === '' && !chunk.includes(0x1b)) return chunk;
    const text = held + chunk.toString('latin1');
    const kept = text.replaceAll(REPLY, (reply) => {
      const [, code, colour] = COLOUR.exec(reply) ?? [];
      if (colour !== undefined) onColour(code === '10' ? { foreground: colour } : { background: colour });
      return '';
    });
    const start = BEGUN.exec(kept)?.[0] ?? '';
    held = start.length <= MAX_HELD_CHARS ? start : '';
    return Buffer.from(kept.slice(0, kept.length - held.length), 'latin1');
  };
}
