/**
 * Cluster widths: the number of columns of an emoji's characters in the terminal of the ears.
 *
 *     👨‍👩‍👧‍👦   four emoji, joined by ZWJ     2 columns
 *     👍🏽      an emoji and a skin tone        2
 *     🇩🇪      two regional indicators         2
 *     ❤️      a sign and VS16                 2
 *
 * Agents count these as two columns and place the following text accordingly. A terminal that counts each of the joined
 * emoji would overwrite characters: the closing quote of a string is lost. A program that counts each emoji leaves
 * blanks in this terminal, which loses nothing.
 */
import unicodeModule from '@xterm/addon-unicode11';
import type { IUnicodeVersionProvider } from '@xterm/headless';

const ZWJ = 0x200d;
const VS16 = 0xfe0f;
const isSkinTone = (code: number): boolean => code >= 0x1f3fb && code <= 0x1f3ff;
const isRegional = (code: number): boolean => code >= 0x1f1e6 && code <= 0x1f1ff;
/** True for emoji, and for signs that VS16 turns into one. */
const isPictograph = (code: number): boolean =>
  code >= 0x1f000 ? code <= 0x1faff && !isRegional(code) : code >= 0x2190 && code <= 0x2bff;

/** The kind of the cluster so far, which decides what may continue it. */
const Kind = { none: 0, pictograph: 1, joined: 2, regional: 3 } as const;

/** Packs, as xterm.js does: the kind, the columns so far, and whether the character joins the previous one. */
const packed = (kind: number, width: number, joins: boolean): number => (kind << 3) | (width << 1) | (joins ? 1 : 0);
const kindOf = (properties: number): number => properties >> 3;
const widthOf = (properties: number): number => (properties >> 1) & 3;

const ASCII = packed(Kind.none, 1, false);
const FIRST_OTHER = 0x7f;
const FIRST_PRINTED = 0x20;

export function clusterWidths(): IUnicodeVersionProvider {
  const base = unicode11();
  return {
    version: 'clusters',
    wcwidth: (code) => base.wcwidth(code),
    charProperties(code, before) {
      if (code >= FIRST_PRINTED && code < FIRST_OTHER) return ASCII;
      const kind = kindOf(before);
      const columns = widthOf(before);
      if (kind === Kind.pictograph && columns > 0) {
        if (code === ZWJ) return packed(Kind.joined, columns, true);
        if (code === VS16 || isSkinTone(code)) return packed(kind, 2, true);
      }
      if (kind === Kind.joined && isPictograph(code)) return packed(Kind.pictograph, 2, true);
      if (kind === Kind.regional && isRegional(code)) return packed(Kind.none, 2, true);
      const width = base.wcwidth(code);
      if (width === 0) return columns === 0 ? packed(Kind.none, 0, false) : packed(kind, columns, true);
      if (isRegional(code)) return packed(Kind.regional, width, false);
      return packed(isPictograph(code) ? Kind.pictograph : Kind.none, width, false);
    },
  };
}

/** The widths of Unicode 11, which the add-on registers. */
function unicode11(): IUnicodeVersionProvider {
  let widths: IUnicodeVersionProvider | undefined;
  const unicode = {
    register(provider: IUnicodeVersionProvider): void {
      widths = provider;
    },
  };
  new unicodeModule.Unicode11Addon().activate({ unicode } as never); // it uses nothing else of a terminal
  if (!widths) throw new Error('The unicode add-on has registered nothing');
  return widths;
}
