import { describe, expect, it } from 'vitest';
import { splitCommand } from './split-command.js';

describe('splitCommand', () => {
  it('splits a command line as a shell does', () => {
    const { command, needsShell } = splitCommand(`claude  -p 'it''s "so"' "a \\"b\\" \\n" c\\ d ''`);
    expect(command).toEqual(['claude', '-p', 'its "so"', 'a "b" \\n', 'c d', '']);
    expect(needsShell).toBe(false);
  });

  it.each(['make | tee log', 'echo $HOME', 'X=1 make', 'rm *.o', 'cd /tmp && ls', 'echo "$HOME"', 'a; b'])(
    'passes a line that needs a shell to sh -c: %s',
    (line) => {
      expect(splitCommand(line)).toMatchObject({ command: ['sh', '-c', line], needsShell: true });
    },
  );

  it('reports a missing program and an unclosed quote', () => {
    expect(splitCommand('  ').problem).toContain('which program');
    expect(splitCommand("echo 'a").problem).toContain("the ' that begins");
  });
});
