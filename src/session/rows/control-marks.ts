/**
 * Control marks: one bit for each byte of a terminal's output, set if the byte is a control character other than TAB.
 *
 * In:   up to MAX_MARKED_BYTES.
 * Out:  `marks`, valid until the next call. The first byte is the lowest bit of the first word.
 *
 * A WebAssembly module with one function looks at sixteen bytes in one step, ten times as fast as JavaScript. Null if
 * Node cannot run it (a processor without SIMD, no address space): the caller then looks at each byte.
 *
 * @see https://webassembly.github.io/spec/core/binary/
 */

/** Size of the module's first memory page, which contains the bytes. The second one contains the marks. */
export const MAX_MARKED_BYTES = 64 * 1024;
const WORD_BITS = 32;

export interface ControlMarker {
  readonly marks: Int32Array;
  mark(bytes: Uint8Array): void;
}

/** The part of WebAssembly that is used here; Node's types do not include it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => { readonly exports: { readonly m: { readonly buffer: ArrayBuffer }; readonly f: (end: number) => void } };
};

const I32 = 0x7f;
const V128 = 0x7b;
const SIMD = 0xfd;
const PREAMBLE = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const TYPES = [1, 0x60, 1, I32, 0]; // (end: i32) → nothing
const FUNCTIONS = [1, 0];
const MEMORIES = [1, 0, 2]; // of two pages
const EXPORTS = [2, 1, 0x6d, 2, 0, 1, 0x66, 0, 0]; // m, f
const BODY = [
  2,
  1,
  I32,
  1,
  V128, //             $at, $bytes
  0x03,
  0x40, //                     loop
  0x20,
  1,
  0x41,
  3,
  0x76, //           $at >>> 3, where their marks go
  0x20,
  1,
  SIMD,
  0x00,
  4,
  0, //        sixteen bytes at $at
  0x22,
  2,
  0x41,
  32,
  SIMD,
  0x0f, //    … $bytes
  SIMD,
  0x26, //                       each < 32
  0x20,
  2,
  0x41,
  9,
  SIMD,
  0x0f, //
  SIMD,
  0x24,
  SIMD,
  0x4e, //           and ≠ TAB
  0x20,
  2,
  0x41,
  0xff,
  0, //
  SIMD,
  0x0f,
  SIMD,
  0x23, //           = DEL
  SIMD,
  0x50,
  SIMD,
  0x64, //           or: sixteen bits
  0x3b,
  1,
  0x80,
  0x80,
  4, //           stored, a page further
  0x20,
  1,
  0x41,
  16,
  0x6a,
  0x22,
  1, // $at += 16
  0x20,
  0,
  0x49,
  0x0d,
  0, //           again while $at < $end
  0x0b,
  0x0b,
];

/** Returns a section of the module. Sections are shorter than 128 bytes, so one byte holds the length. */
const section = (id: number, content: readonly number[]): number[] => [id, content.length, ...content];
const PROGRAM = Uint8Array.from([
  ...PREAMBLE,
  ...section(1, TYPES),
  ...section(3, FUNCTIONS),
  ...section(5, MEMORIES),
  ...section(7, EXPORTS),
  ...section(10, [1, BODY.length, ...BODY]),
]);

let marker: ControlMarker | null | undefined;

/** Returns this thread's shared marker, which is created at the first call. Each use overwrites the previous marks. */
export function controlMarker(): ControlMarker | null {
  if (marker === undefined) marker = createMarker();
  return marker;
}

function createMarker(): ControlMarker | null {
  try {
    const { m, f } = new WebAssembly.Instance(new WebAssembly.Module(PROGRAM)).exports;
    const input = new Uint8Array(m.buffer, 0, MAX_MARKED_BYTES);
    return {
      marks: new Int32Array(m.buffer, MAX_MARKED_BYTES, MAX_MARKED_BYTES / WORD_BITS + 1),
      mark(bytes) {
        input.set(bytes);
        f(bytes.length);
      },
    };
  } catch {
    return null;
  }
}
