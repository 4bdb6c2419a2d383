import { expect, test } from 'vitest';
import { isInteractiveShell, takesCommands } from './shells.js';

test.each([
  'bash',
  '/bin/bash',
  '-zsh',
  'zsh -l',
  'bash --rcfile profile',
  'bash --norc -o vi -i',
  'bash -s argument',
  'bash +O extglob',
  'busybox ash',
  'fish --private',
])('%s is an interactive shell', (line) => expect(isInteractiveShell(line.split(' '))).toBe(true));

test.each([
  'sh -c cat',
  'bash -lc cat',
  'bash script.sh',
  'bash --norc script.sh -i',
  'bash -- script.sh',
  'busybox sh script.sh',
  'busybox vi',
  'fish --command ls',
  'my-agent bash',
  'bashful',
])('%s is not an interactive shell', (line) => expect(isInteractiveShell(line.split(' '))).toBe(false));

test.each([
  'bash',
  'vim notes.md',
  '/usr/bin/less a',
  'python3',
  'python3.12 -i',
  'node',
  'psql shop',
  'gdb ./a',
  'bc -q',
  'pgcli shop',
  'python3 /usr/bin/ipython --no-banner',
  'ruby /usr/bin/irb',
  'python3 -u /usr/bin/xonsh',
  'python3 -m IPython',
  'node /usr/bin/mongosh shop',
  'julia',
])('%s takes commands', (line) => expect(takesCommands(line.split(' '))).toBe(true));

test.each([
  'python3 agent.py',
  'guile agent.scm',
  'python3 -m agent',
  'python3 /usr/bin/agent python',
  'python3 -c code',
  'node --eval 1',
  'python3 /usr/bin/xonsh agent.xsh',
  'node agent.js',
  'node -e 1',
  'ruby -e 1',
  'cat',
  'claude',
  'sh -c x',
])('%s does not take commands', (line) => expect(takesCommands(line.split(' '))).toBe(false));
