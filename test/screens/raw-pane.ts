/**
 * A pane of tmux without a program: bytes written to it act like a program's output.
 *
 * The bytes are on tmux's screen once tmux has answered a query that follows them. A CAN before the query ends an
 * incomplete sequence.
 */
import { execFileSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import type { Look } from './look.js';
import { openPane } from './tmux-pane.js';

export interface RawPane {
  /** Returns the screen of a new terminal after these bytes. One call at a time. */
  show(bytes: string | Uint8Array): Promise<Look>;
  close(): Promise<void>;
}

export const BREAK_OFF = '\x18';
const ASK = '\x1b[5n';
const ANSWER = '\x1b[0n';
/** Returns the terminal to its initial state: main screen, reset, no scrollback, no title, the saved cursor at home. */
const ANEW = `${BREAK_OFF}\x1b[?1049l\x1bc\x1b[3J\x1b]2;\x07\x1b[H\x1b[?1049h\x1b[?1049l\x1b[?6l\x1b7`;

export async function openRawPane(size: { cols: number; rows: number; scrollbackLines: number }): Promise<RawPane> {
  const pane = await openPane({ ...size, program: 'exec tail -f /dev/null' });
  const raw = process.platform === 'darwin' ? '-f' : '-F';
  execFileSync('stty', [raw, pane.tty, 'raw', '-echo']);
  const [reading, writing] = [openSync(pane.tty, 'r+'), openSync(pane.tty, 'r+')];
  const input = new ReadStream(reading);
  const output = new WriteStream(writing);
  let heard = '';
  let onAnswer = (): void => {};
  input.on('data', (chunk: Buffer) => {
    heard = (heard + chunk.toString('latin1')).slice(-1024);
    if (!heard.endsWith(ANSWER)) return;
    heard = '';
    onAnswer();
  });
  return {
    async show(bytes) {
      await new Promise<void>((resolve) => {
        onAnswer = resolve;
        output.write(ANEW);
        output.write(bytes);
        output.write(`${BREAK_OFF}${ASK}`);
      });
      return pane.look();
    },
    async close() {
      input.destroy();
      output.destroy();
      await pane.close();
    },
  };
}
