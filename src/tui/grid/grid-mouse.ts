/**
 * Takes mouse reports (SGR encoding) out of what a person types. A report that is cut between two reads is put
 * together.
 */
export interface MouseReport {
  readonly button: number;
  /** Columns and rows count from 0. */
  readonly x: number;
  readonly y: number;
}

const REPORT = /\x1b\[<(\d{1,4});(\d{1,5});(\d{1,5})([Mm])/g;
const CUT_REPORT = /\x1b\[<[\d;]{0,16}$/;

/** @returns A function that returns the presses of a chunk, and the bytes that are no reports. */
export function createMouseReader(): (chunk: Buffer) => { readonly presses: MouseReport[]; readonly rest: Buffer } {
  let cut = '';
  return (chunk) => {
    const text = cut + chunk.toString('latin1');
    cut = CUT_REPORT.exec(text)?.[0] ?? '';
    const presses: MouseReport[] = [];
    const rest = text.slice(0, text.length - cut.length).replaceAll(REPORT, (_all, button, x, y, final) => {
      if (final === 'M') presses.push({ button: Number(button), x: Number(x) - 1, y: Number(y) - 1 });
      return '';
    });
    return { presses, rest: Buffer.from(rest, 'latin1') };
  };
}
