import { type CommandSpec, flag } from '../command.js';

export const stream: CommandSpec = {
  name: 'stream',
  group: 'Sessions',
  summary: 'A session’s raw output from now on; what comes on standard input is typed.',
  args: '<session>',
  options: [['--read-only', 'do not type standard input']],
  examples: ['orchd stream build', 'printf "y\\n" | orchd stream build | head -3'],
  async run(context, [session = ''], options) {
    const terminal = await context.client().terminal(session, { mode: 'stream', readOnly: flag(options, 'readOnly') });
    context.signal.addEventListener('abort', () => terminal.close());
    const isTyped = !flag(options, 'readOnly') && !process.stdin.isTTY;
    if (isTyped) process.stdin.on('data', (chunk: Buffer) => void terminal.sendBytes(chunk));
    terminal.onBytes((bytes) => {
      if (!process.stdout.write(bytes)) {
        terminal.pause();
        process.stdout.once('drain', () => terminal.resume());
      }
    });
    await terminal.ended;
    process.stdin.destroy();
    return undefined;
  },
};
