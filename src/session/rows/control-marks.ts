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
/** The function, with one instruction a row. Its locals are $end (0), $at (1) and $bytes (2). */
const BODY = [
  [2, 1, I32, 1, V128], // declares $at and $bytes
  [0x03, 0x40], // loop
  [0x20, 1], // local.get $at
  [0x41, 3], // i32.const 3
  [0x76], // i32.shr_u: where the marks of these bytes go
  [0x20, 1], // local.get $at
  [SIMD, 0x00, 4, 0], // v128.load: sixteen bytes
  [0x22, 2], // local.tee $bytes
  [0x41, 32], // i32.const 32
  [SIMD, 0x0f], // i8x16.splat
  [SIMD, 0x26], // i8x16.lt_u: a control character of ASCII
  [0x20, 2], // local.get $bytes
  [0x41, 9], // i32.const TAB
  [SIMD, 0x0f], // i8x16.splat
  [SIMD, 0x24], // i8x16.ne
  [SIMD, 0x4e], // v128.and
  [0x20, 2], // local.get $bytes
  [0x41, 0xff, 0], // i32.const DEL
  [SIMD, 0x0f], // i8x16.splat
  [SIMD, 0x23], // i8x16.eq
  [SIMD, 0x50], // v128.or
  [SIMD, 0x64], // i8x16.bitmask: sixteen bits
  [0x3b, 1, 0x80, 0x80, 4], // i32.store16, one page further
  [0x20, 1], // local.get $at
  [0x41, 16], // i32.const 16
  [0x6a], // i32.add
  [0x22, 1], // local.tee $at
  [0x20, 0], // local.get $end
  [0x49], // i32.lt_u
  [0x0d, 0], // br_if: again while $at < $end
  [0x0b], // end of the loop
  [0x0b], // end of the function
].flat();

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
