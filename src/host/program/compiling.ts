/**
 * Says what this machine lacks to compile node-pty, which has no compiled form for Linux: a C++ compiler, make and
 * Python 3, as node-gyp documents them.
 */
import { delimiter, join } from 'node:path';
import { isProgram } from '../files/index.js';

/** Each build tool, with the programs that provide it. One of them is enough. */
const TOOLS: readonly (readonly [name: string, programs: readonly string[]])[] = [
  ['C++ compiler', ['c++', 'g++', 'clang++']],
  ['make', ['make', 'gmake']],
  ['Python 3', ['python3']],
];
/** The command that installs all build tools, for each package manager. */
const INSTALL: readonly (readonly [manager: string, command: string])[] = [
  ['apt-get', 'apt-get install -y build-essential python3'],
  ['dnf', 'dnf install -y gcc-c++ make python3'],
  ['yum', 'yum install -y gcc-c++ make python3'],
  ['apk', 'apk add build-base python3'],
  ['pacman', 'pacman -S --needed base-devel python'],
  ['zypper', 'zypper install -y gcc-c++ make python3'],
  ['xcode-select', 'xcode-select --install'],
];

/**
 * @param path  The directories that are searched, as in PATH.
 * @returns The tools that are missing, and the command that installs them; '' if nothing is missing.
 */
export function missingTools(path: string = process.env['PATH'] ?? ''): string {
  const has = (program: string): boolean => path.split(delimiter).some((dir) => dir && isProgram(join(dir, program)));
  const missing = TOOLS.filter(([, programs]) => !programs.some(has)).map(([name]) => name);
  if (missing.length === 0) return '';
  const install = INSTALL.find(([manager]) => has(manager))?.[1];
  return `this machine has no ${missing.join(' and no ')}${install ? `: \`${install}\`` : ''}`;
}
