/**
 * A list to choose from, over an attached session: sessions, or actions. Typing filters it. ↑ and ↓ select, Enter
 * chooses, and a digit chooses the entry with that number as long as nothing is typed.
 */
import { fuzzyScore } from '../../input/fuzzy.js';
import { spell } from '../../input/key-names.js';
import { EMPTY_LINE, edit, type Line, textOf } from '../../input/line-editor.js';
import type { Paint, Style } from '../../paint/paint.js';
import { box, type Cell, centred, hiddenWords, listRow, windowOf } from '../../paint/rows.js';
import { fill } from '../../paint/text.js';
import type { Overlay, OverlayPorts } from './attach-overlay.js';

export interface PickerEntry {
  readonly id: string;
  /** A digit that chooses the entry, or its key; '' for none. */
  readonly key: string;
  readonly name: string;
  readonly words: string;
  /** Text at the right end of the row. */
  readonly note: string;
  readonly style?: Style | undefined;
}

interface PickerPorts extends OverlayPorts {
  readonly paint: Paint;
  readonly title: string;
  /** Called for every frame, so that the list follows the daemon. */
  readonly entries: () => readonly PickerEntry[];
  /** The id of the entry that is selected first. */
  readonly at: string | null;
  readonly choose: (id: string) => void;
  /** A row that explains the keys. */
  readonly foot?: string;
}

const KEY_COLS = 3;
const MAX_NAME_COLS = 24;
const NOTE_COLS = 8;
/** Rows of the borders and of the line to type on. */
const FRAME_ROWS = 3;

export function createPicker({ paint, title, entries, at, choose, foot, redraw, close }: PickerPorts): Overlay {
  let line: Line = EMPTY_LINE;
  let selected: string | null = at;

  function shown(): readonly PickerEntry[] {
    const query = textOf(line).trim();
    if (query === '') return entries();
    return entries()
      .flatMap((entry) => {
        const score = fuzzyScore(query, entry.name) ?? (contains(entry, query) ? BY_WORDS : null);
        return score === null ? [] : [{ entry, score }];
      })
      .sort((a, b) => b.score - a.score)
      .map(({ entry }) => entry);
  }

  const indexIn = (all: readonly PickerEntry[]): number =>
    Math.max(
      0,
      all.findIndex(({ id }) => id === selected),
    );

  function move(step: number): void {
    const all = shown();
    selected = all[Math.max(0, Math.min(all.length - 1, indexIn(all) + step))]?.id ?? null;
    redraw();
  }

  function take(entry: PickerEntry | undefined): void {
    if (!entry) return;
    close();
    choose(entry.id);
  }

  return {
    rows({ cols, rows }) {
      const all = shown();
      const index = indexIn(all);
      const columns = cols - 2;
      const height = Math.min(rows, Math.max(1, all.length) + FRAME_ROWS);
      const room = Math.max(0, height - FRAME_ROWS);
      const { from, to } = windowOf(all.length, index, room);
      const widest = Math.max(0, ...all.map(({ name }) => name.length));
      const nameCols = Math.min(widest, MAX_NAME_COLS, Math.max(1, Math.floor(columns / 3)));
      const list = all.slice(from, to).map((entry, i) => {
        const cells: Cell[] = [
          { text: entry.key, width: KEY_COLS, style: 'cyan' },
          { text: entry.name, width: nameCols, style: 'bold' },
          { text: entry.words, style: entry.style },
          ...(entry.note === ''
            ? []
            : [{ text: entry.note, width: NOTE_COLS, align: 'right' as const, style: 'yellow' as const }]),
        ];
        return listRow(paint, cells, columns, from + i === index ? 'hot' : 'plain');
      });
      const none = all.length === 0 ? centred(paint, ['Nothing has these words.'], columns, Math.max(1, room)) : [];
      const input = fill(` filter: ${textOf(line)}█`, columns);
      const below = hiddenWords(from, all.length - to) || (foot ?? 'Enter goes there · Esc closes');
      return box(paint, [input, ...list, ...none], { width: cols, height, title, foot: below, isFocused: true });
    },
    press(key) {
      const name = spell(key);
      const digit = textOf(line) === '' && name !== null && /^[1-9]$/.test(name);
      if (name === 'Escape' || name === 'C-c') close();
      else if (name === 'Down' || name === 'C-n') move(1);
      else if (name === 'Up' || name === 'C-p') move(-1);
      else if (name === 'PageDown') move(10);
      else if (name === 'PageUp') move(-10);
      else if (name === 'Enter') {
        const all = shown();
        take(all[indexIn(all)]);
      } else if (digit) take(entries().find((entry) => entry.key === name));
      else if (key.kind === 'mouse') {
        if (key.what !== 'click') move(key.what === 'wheelup' ? -1 : 1);
      } else {
        const edited = edit(line, key);
        // The best match is selected, not an entry that matches by other words.
        if (edited && textOf(edited) !== textOf(line)) {
          line = edited;
          selected = shown()[0]?.id ?? null;
        } else line = edited ?? line;
        redraw();
      }
    },
  };
}

/** Score offset of entries that match only by other words: below every match by name. */
const BY_WORDS = -1_000;
const contains = ({ words }: PickerEntry, query: string): boolean => words.toLowerCase().includes(query.toLowerCase());
