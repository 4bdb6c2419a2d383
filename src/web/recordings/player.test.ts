import { expect, test } from 'vitest';
import { Player } from './player.js';
import type { Frame } from './recording.js';

/** A terminal that remembers its text; its serialized form is that text. */
function open(frames: readonly Frame[]) {
  let text = '';
  let now = 0;
  let restores = 0;
  let next: (() => void) | null = null;
  const player = new Player(
    {
      terminal: {
        write: (data, done) => {
          text += typeof data === 'string' ? data : new TextDecoder().decode(data);
          queueMicrotask(done);
        },
        resize: ({ cols }) => {
          text += `<${cols}>`;
        },
        reset: () => {
          text = '';
          restores += 1;
        },
        serialize: () => text,
      },
      now: () => now,
      nextFrame: (then) => {
        next = then;
      },
      onChange: () => {},
    },
    frames,
    5_000,
  );
  return {
    player,
    text: () => text,
    restores: () => restores,
    /** A frame of the display, after some time. */
    async frame(ms: number) {
      now += ms;
      const then = next;
      next = null;
      then?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const out = (at: number, text: string): Frame => ({
  at,
  position: at,
  end: at + 1,
  kind: 'out',
  bytes: new TextEncoder().encode(text),
});
const start: Frame = { at: 0, position: 0, end: 1, kind: 'screen', text: '', cols: 80, rows: 24 };

test('a seek forward or back shows the screen at that time', async () => {
  const { player, text } = open([start, out(100, 'a'), out(200, 'b'), out(300, 'c')]);
  await player.seek(200);
  expect(text()).toBe('<80>ab');
  await player.seek(300);
  expect(text()).toBe('<80>abc');
  await player.seek(150);
  expect(text()).toBe('<80>a');
  expect(player.state).toMatchObject({ timeMs: 150, durationMs: 300, position: 100 });
});

test('play follows the clock at the chosen speed, and stops at the end', async () => {
  const { player, text, frame } = open([start, out(100, 'a'), out(200, 'b'), out(300, 'c')]);
  player.setSpeed(2);
  player.play();
  await frame(40);
  expect(text()).toBe('<80>');
  await frame(20);
  expect(text()).toBe('<80>a');
  await frame(500);
  expect([text(), player.state.isPlaying, player.state.timeMs]).toEqual(['<80>abc', false, 300]);
  player.play(); // from the beginning
  await frame(60);
  expect(text()).toBe('<80>a');
});

test('pause keeps the screen, and shortening pauses keeps the position', async () => {
  const { player, text, frame } = open([start, out(100, 'a'), out(90_000, 'b')]);
  player.play();
  await frame(100);
  player.pause();
  await frame(100_000);
  expect(text()).toBe('<80>a');
  expect(player.state.durationMs).toBe(5_100);
  player.cutPauses(Number.POSITIVE_INFINITY);
  expect(player.state).toMatchObject({ timeMs: 100, durationMs: 90_000 });
});

test('a seek back in a long recording restores a kept screen, with the same result', async () => {
  const frames = [start, ...Array.from({ length: 40 }, (_, at) => out((at + 1) * 10, String(at % 10).repeat(50_000)))];
  const { player, text, restores } = open(frames);
  await player.seek(400);
  const before = restores();
  await player.seek(250);
  const straight = open(frames);
  await straight.player.seek(250);
  const screen = (shown: string): string => shown.replaceAll('<80>', ''); // a restored terminal gets its size once more
  expect(screen(text()) === screen(straight.text())).toBe(true);
  expect(restores()).toBe(before + 1);
});

test('the last of several concurrent seeks wins', async () => {
  const { player, text } = open([start, out(100, 'a'), out(200, 'b'), out(300, 'c')]);
  await Promise.all([player.seek(300), player.seek(100), player.seek(200)]);
  expect(text()).toBe('<80>ab');
});
