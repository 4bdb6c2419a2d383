/**
 * Output steps: how a terminal's output is divided for one who wants to know where he stands in it when something happens.
 *
 *     text ESC[5;1H text \n text ESC[?2026l text
 *          ^             ^       ^                    a step begins with a sequence, with a line feed, with what may be a C1 control
 *                                ^                    what may be a private mode
 *
 * A step is divided at the same bytes wherever the output is cut.
 */
const ESC = 0x1b;
const LF = 10;
const SPACE = 0x20;
const BRACKET = 0x5b;
const QUESTION = 0x3f;
const DEL = 0x7f;
/** U+009B as UTF-8: ESC [ as one character. */
const LEAD_C1 = 0xc2;
const CSI_C1 = 0x9b;

export const beginsStep = (byte: number | undefined): boolean => byte === ESC || byte === LF || byte === LEAD_C1;

/** Where the next step begins, behind `at`. */
export function nextStep(bytes: Uint8Array, at: number): number {
  let next = at + 1;
  while (next < bytes.length && !beginsStep(bytes[next])) next++;
  return next;
}

/** As `nextStep`, inside of a synchronized update: nobody looks before it ends, and a private mode ends it. */
export function nextMode(bytes: Uint8Array, at: number): number {
  let next = bytes.indexOf(ESC, at + 1);
  while (next >= 0 && !mayBeMode(bytes, next)) next = bytes.indexOf(ESC, next + 1);
  const end = next < 0 ? bytes.length : next;
  const part = bytes.subarray(0, end);
  let lead = part.indexOf(LEAD_C1, at + 1);
  while (lead >= 0 && !mayBeMode(bytes, lead)) lead = part.indexOf(LEAD_C1, lead + 1);
  return lead < 0 ? end : lead;
}

/**
 *     ESC [ ? 2026 l       U+009B ? 2026 l
 *         ^                C2 9B
 *         a control character in it acts as if it stood before; what is cut may go on so
 */
export function mayBeMode(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at];
  const second = bytes[at + 1];
  const third = bytes[at + 2];
  if (first === LEAD_C1) return second === CSI_C1 || second === undefined;
  if (first !== ESC) return false;
  return second !== BRACKET || third === QUESTION || third === undefined || third < SPACE || third === DEL;
}
