/**
 * Row controls: the effects of control sequences on rows of text. Sequences that are not listed here (colours, modes,
 * queries) have no effect on them.
 *
 * @see https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
 */
export type RowControl =
  | 'up'
  | 'down'
  | 'forward'
  | 'back'
  | 'column'
  | 'erase'
  | 'delete'
  | 'insert'
  | 'blank'
  /** The control moves the cursor or the rows in a way that a single row cannot represent. */
  | 'paint'
  | 'alternate'
  | 'main'
  | 'frame_begin'
  | 'frame_end';

/** Controls by final byte, for sequences without a private mark. */
const CONTROLS: Readonly<Record<string, RowControl>> = {
  A: 'up', // CUU
  F: 'up', // CPL
  B: 'down', // CUD
  E: 'down', // CNL
  e: 'down', // VPR
  C: 'forward', // CUF
  a: 'forward', // HPR
  D: 'back', // CUB
  G: 'column', // CHA
  '`': 'column', // HPA
  K: 'erase', // EL
  P: 'delete', // DCH
  '@': 'insert', // ICH
  X: 'blank', // ECH
  H: 'paint', // CUP
  f: 'paint', // HVP
  d: 'paint', // VPA
  r: 'paint', // DECSTBM
  S: 'paint', // SU
  T: 'paint', // SD
  L: 'paint', // IL
  M: 'paint', // DL
};
/** `CONTROLS` by character code. Null: no effect on rows, or an effect that depends on the parameters. */
export const BY_CODE: readonly (RowControl | null)[] = Array.from(
  { length: 128 },
  (_, code) => CONTROLS[String.fromCharCode(code)] ?? null,
);
export const SET = 0x68; // h
export const RESET = 0x6c; // l
export const ERASE_DISPLAY = 0x4a; // J
export const RESTORE = 0x75; // u
export const SCREEN_MODES: readonly number[] = [47, 1047, 1049];
export const SYNCHRONIZED_UPDATE = 2026;

/** @param parameters  -1 stands for a missing one. */
export function readControl(final: number, mark: string, parameters: readonly number[]): RowControl | null {
  const first = parameters[0] ?? -1;
  if (mark === '?') {
    if (final !== SET && final !== RESET) return null;
    if (parameters.some((mode) => SCREEN_MODES.includes(mode))) return final === SET ? 'alternate' : 'main';
    if (parameters.includes(SYNCHRONIZED_UPDATE)) return final === SET ? 'frame_begin' : 'frame_end';
    return null;
  }
  if (mark !== '') return null;
  // ED: below the open row there is nothing, and the scrollback (3) is not on the screen.
  if (final === ERASE_DISPLAY) return first <= 0 ? 'erase' : first === 3 ? null : 'paint';
  if (final === RESTORE) return first === -1 ? 'paint' : null; // restores the cursor; with parameters it is a key
  return BY_CODE[final] ?? null;
}
