import { expect, test } from 'vitest';
import { controlMarker, MAX_MARKED_BYTES } from './control-marks.js';
import { PlainBytes } from './plain-bytes.js';

const isText = (byte: number): boolean => byte === 9 || (byte >= 32 && byte !== 127);
/** A reference implementation that checks the bytes one by one. */
function ends(bytes: Uint8Array): number[] {
  const found: number[] = [];
  let end = bytes.length;
  for (let at = bytes.length - 1; at >= 0; at--) {
    if (!isText(bytes[at] ?? 0)) end = at;
    found[at] = end;
  }
  return found;
}
/** All byte values, in an order that depends on `step`. */
const mixed = (length: number, step: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at % step === step - 1 ? (at / step) & 255 : 97));

test('has a marker in this version of Node', () => {
  expect(controlMarker()).not.toBeNull();
});

test.each([1, 7, 63, 64, 65, 127, 128, 1000, 4111])('finds the next control character in %i bytes', (length) => {
  for (const step of [1, 2, 3, 17, 33, 100]) {
    const bytes = mixed(length, step);
    const [plain, unmarked] = [new PlainBytes(bytes), new PlainBytes(bytes, null)];
    const expected = ends(bytes);
    expect(expected.map((_, at) => plain.end(at))).toEqual(expected);
    expect(expected.map((_, at) => unmarked.end(at))).toEqual(expected);
    expect(plain.end(length)).toBe(length);
  }
});

test('finds a control character beyond MAX_MARKED_BYTES, from any position', () => {
  const bytes = new Uint8Array(3 * MAX_MARKED_BYTES + 5).fill(97);
  const control = 2 * MAX_MARKED_BYTES + 3;
  bytes[control] = 10;
  const plain = new PlainBytes(bytes);
  for (const from of [0, MAX_MARKED_BYTES, 1, control, control - 1, 5]) expect(plain.end(from)).toBe(control);
  expect(plain.end(control + 1)).toBe(bytes.length);
});

test('keeps the marks of two outputs apart that are read in turns', () => {
  const [one, other] = [mixed(500, 9), mixed(700, 31)];
  const [first, second] = [new PlainBytes(one), new PlainBytes(other)];
  const [firstEnds, secondEnds] = [ends(one), ends(other)];
  for (let at = 0; at < one.length; at++) {
    expect(first.end(at)).toBe(firstEnds[at]);
    expect(second.end(at)).toBe(secondEnds[at]);
  }
});
