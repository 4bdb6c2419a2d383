import { existsSync, watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { createLogLines } from '../daemon/log-lines.js';
import { parseWhole } from '../input/parse-values.js';
import { type CommandSpec, flag, text } from '../program/command.js';

const DEFAULT_LINES = 100;
const TAIL_BYTES = 1024 * 1024;

export const logs: CommandSpec = {
  name: 'logs',
  group: 'Daemon',
  summary: 'Print the log of the daemon or of the host, with local times; --json prints one object per line.',
  options: [
    ['-f, --follow', 'continue with new lines'],
    ['-n, --lines <n>', `number of lines from the end (default: ${DEFAULT_LINES})`],
    ['--host', 'the log of the host'],
  ],
  examples: ['orchd logs', 'orchd logs -f', 'orchd logs --host -n 20'],
  async run(context, _args, options) {
    const path = flag(options, 'host') ? context.paths.hostLogFile : context.paths.logFile;
    const wanted = text(options, 'lines');
    const lines = wanted === undefined ? DEFAULT_LINES : parseWhole('--lines', wanted);
    if (!existsSync(path)) {
      context.note(`there is no log at ${path} yet`);
      return undefined;
    }
    const file = await open(path, 'r');
    let { size: position } = await file.stat();
    const from = Math.max(0, position - TAIL_BYTES);
    const tail = await readPart(from, position);
    const log = createLogLines(context.isJson);
    const all = log.push(from > 0 ? tail.slice(tail.indexOf('\n') + 1) : tail);
    if (!flag(options, 'follow')) all.push(...log.end());
    await put(lines === 0 ? [] : all.slice(-lines));
    if (flag(options, 'follow')) await follow();
    await file.close();
    return undefined;

    function put(found: readonly string[]): Promise<void> {
      return context.write(found.map((line) => `${line}\n`).join(''));
    }

    async function readPart(start: number, end: number): Promise<string> {
      const buffer = Buffer.alloc(end - start);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
      return buffer.toString('utf8', 0, bytesRead);
    }

    function follow(): Promise<void> {
      return new Promise((resolve) => {
        let reading: Promise<void> = Promise.resolve();
        const watcher = watch(path, () => {
          reading = reading.then(async () => {
            const { size } = await file.stat();
            if (size > position) await put(log.push(await readPart(position, size)));
            position = size;
          });
        });
        context.signal.addEventListener('abort', () => {
          watcher.close();
          void reading.then(resolve);
        });
      });
    }
  },
};
