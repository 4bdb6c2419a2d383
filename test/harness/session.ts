/** The same new session for every test of what follows from inputs. */
import { newSession, type Session } from '../../src/protocol/index.js';

/** @param program  The program, which is also the adapter unless `adapter` is given. */
export const sessionOf = (program: string, adapter = program): Session =>
  newSession({
    id: 'ses_1',
    name: 'one',
    adapter,
    command: [program],
    cwd: '/',
    pid: 1,
    size: { cols: 80, rows: 24 },
    key_required: false,
    created_at: '2026-01-01T00:00:00.000Z',
  });
