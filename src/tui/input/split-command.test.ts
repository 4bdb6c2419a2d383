import { describe, expect, it } from 'vitest';
import { splitCommand } from './split-command.js';

describe('a command line', () => {
  it('is split as a shell splits it', () => {
    const { command, needsShell } = splitCommand(`claude  -p 'it''s "so"' "a \\"b\\" \\n" c\\ d ''`);
    expect(command).toEqual(['claude', '-p', 'its "so"', 'a "b" \\n', 'c d', '']);
    expect(needsShell).toBe(false);
  });

  it.each(['make | tee log', 'echo $HOME', 'X=1 make', 'rm *.o', 'cd /tmp && ls', 'echo "$HOME"', 'a; b'])(
    'that only a shell understands is given to one whole: %s',
    (line) => {
      expect(splitCommand(line)).toMatchObject({ command: ['sh', '-c', line], needsShell: true });
    },
  );

  it('says what is missing', () => {
    expect(splitCommand('  ').problem).toContain('which program');
    expect(splitCommand("echo 'a").problem).toContain("the ' that begins");
  });
});
