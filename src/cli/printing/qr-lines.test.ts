import { encode } from 'uqr';
import { expect, test } from 'vitest';
import type { Paint } from './paint.js';
import { qrLines } from './qr-lines.js';

const URL = 'https://192.168.178.20:8443/ui/#code=3q2-7wQfXHh1b0s5dGhpcyBpcyBhIGNv';
const coloured: Paint = (_style, text) => `[${text}]`;
const plain: Paint = (_style, text) => text;

/** Reads the blocks back as rows of modules. */
function modules(text: string): boolean[][] {
  return text.split('\n').flatMap((line) => {
    const blocks = [...line].filter((char) => ' ▀▄█'.includes(char));
    return [blocks.map((block) => '▀█'.includes(block)), blocks.map((block) => '▄█'.includes(block))];
  });
}

test('shows each module of the code, dark on a white ground', () => {
  const { data, size } = encode(URL, { ecc: 'L', border: 2 });
  const text = qrLines(URL, coloured);
  expect(modules(text).slice(0, size)).toEqual(data);
  for (const line of text.split('\n')) expect(line).toMatch(/^\u001b\[38;5;16;48;5;231m[ ▀▄█]+\u001b\[0m$/);
  expect(text.split('\n').length).toBeLessThan(24); // it fits into a small terminal
});

test('without colours shows the light modules, for a dark terminal', () => {
  const { data, size } = encode(URL, { ecc: 'L', border: 2 });
  const light = data.map((row) => row.map((isDark) => !isDark));
  expect(modules(qrLines(URL, plain)).slice(0, size)).toEqual(light);
});
