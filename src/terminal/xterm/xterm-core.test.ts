import headless from '@xterm/headless';
import { expect, it } from 'vitest';
import { coreOf, dropRowsAbove, Writer } from './xterm-core.js';

function open(text: string) {
  const terminal = new headless.Terminal({ cols: 10, rows: 4, scrollback: 50, allowProposedApi: true });
  const core = coreOf(terminal);
  const writer = new Writer(core);
  writer.write(Buffer.from(text));
  const { active } = terminal.buffer;
  const texts = () => Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true));
  return { terminal, core, writer, texts };
}

const rows = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, at) => `row ${from + at}`);

it('dropRowsAbove drops the oldest rows above the screen and changes nothing else', () => {
  const printed = rows(0, 30).join('\r\n');
  const modes = '\x1b[3g\x1b[5C\x1bH\x1b[2;3r\x1b[3;4H\x1b7';
  const [whole, cut] = [open(printed + modes), open(printed + modes)];
  dropRowsAbove(cut.core, 6);
  expect(cut.texts()).toEqual(whole.texts().slice(-10));
  const more = '\x1b[1;1H\x1b8!\r\t!\x1b[2;1H\x1bM\x1b[r\x1b[4;1H\nlast';
  for (const { writer } of [whole, cut]) writer.write(Buffer.from(more));
  expect(cut.texts()).toEqual(whole.texts().slice(-cut.texts().length));
  expect(cut.core._bufferService.buffer).toMatchObject({ x: 4, y: 3 });
});

it('dropRowsAbove keeps the scrollback limit', () => {
  const { core, writer, texts } = open(rows(0, 40).join('\r\n'));
  dropRowsAbove(core, 0);
  expect(texts()).toEqual(rows(36, 40));
  writer.write(Buffer.from(`\r\n${rows(40, 120).join('\r\n')}`));
  expect(texts()).toEqual(rows(66, 120));
});

it('dropRowsAbove drops nothing if there are few rows above the screen', () => {
  const { core, texts } = open(rows(0, 10).join('\r\n'));
  dropRowsAbove(core, 6);
  expect(texts()).toEqual(rows(0, 10));
});
