/**
 * Tests `--keep` in a real pty against the real daemon: after the program's end the user can restart it, switch or
 * leave.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { openTerminal, type Person, type PersonOptions } from './person.js';

let daemon: TestDaemon;
const people: Person[] = [];
beforeAll(async () => {
  daemon = await startDaemon();
});
afterEach(async () => {
  for (const person of people.splice(0)) person.close();
  await daemon.killAll();
});
afterAll(() => daemon.close());

function open(line: string, options: Partial<PersonOptions> = {}): Person {
  const person = openTerminal(line, { env: daemon.env, ...options });
  people.push(person);
  return person;
}

const ASKS_FOR_CODE = `'echo "begun in $PLACE $(stty size)"; read -r code; echo "leaving with $code"; exit "$code"'`;
const KEEPING = (): PersonOptions => ({ env: { ...daemon.env, ORCHD_SESSIONS_KEEP_ON_EXIT: 'true' } });

describe('orchd run and attach with --keep', () => {
  test.each(['q', '\r', '\x03', '\x1dd'])(
    'show the last screen and how the program ended, and return its exit code on %j',
    async (key) => {
      const person = open(`orchd run --keep -- sh -c ${ASKS_FOR_CODE}; echo "code:$?"`);
      await person.sees('begun');
      person.types('7\r');
      await person.sees(/leaving with 7[\s\S]*\n exited with code 7 · r restarts · q leaves *$/);
      person.types(key);
      await person.exited;
      expect(person.screen()).toContain('code:7');
    },
  );

  test("restart the program on r with the same environment at the terminal's size", async () => {
    const person = open(`orchd run --name again -- sh -c ${ASKS_FOR_CODE}; echo "code:$?"`, {
      env: { ...KEEPING().env, PLACE: 'here' },
    });
    await person.sees('begun in here');
    person.types('7\r');
    await person.sees('q leaves');
    person.types('r');
    await person.sees(/begun in here 23 80\n[\s\S]* again · (?:working|idle)/);
    person.types('3\r');
    await person.sees(/leaving with 3[\s\S]*exited with code 3 · r restarts · q leaves/);
    person.types('q');
    await person.exited;
    expect(person.screen()).toContain('code:3');
  });

  test('are not left by the Enter of a line that was typed for the program', async () => {
    const person = open(`orchd run --keep -- sh -c ${ASKS_FOR_CODE}; echo "code:$?"`);
    await person.sees('begun');
    person.types('7\r');
    await person.sees('q leaves');
    const bells = (): number => person.bytes().split('\x07').length;
    for (const key of ['l', 's', '\r']) {
      const before = bells();
      person.types(key);
      await person.sees(() => bells() > before);
    }
    person.types('\x03');
    await person.exited;
    expect(person.screen()).toContain('code:7');
  });

  test('say why a program cannot be restarted', async () => {
    const person = open(
      'cp "$(command -v sh)" "$ORCHD_HOME/once"; orchd run --keep -- "$ORCHD_HOME/once" -c "read -r x; rm ' +
        '$ORCHD_HOME/once; exit 1"',
    );
    await person.sees(' once · ');
    person.types('\r');
    await person.sees('q leaves');
    person.types('r');
    await person.sees('is not a program that can be run');
    person.types('q');
    await person.exited;
  });

  test('can switch to other sessions, and closing the help restores the screen', async () => {
    await daemon.sh('echo this is other; while read -r line; do echo "heard:$line"; done', '--name', 'other');
    await daemon.sh('echo this is brief; read -r go; exit 1', '--name', 'brief');
    const person = open('orchd attach --keep brief; echo "back:$?"');
    await person.sees(/this is brief[\s\S]*1\/2|this is brief[\s\S]*2\/2/);
    person.types('\r');
    await person.sees('q leaves');
    person.types('\x1d?');
    await person.sees('leave; the session goes on');
    person.types('x');
    await person.sees((screen) => /this is brief[\s\S]*exited with code 1/.test(screen) && !screen.includes('leave;'));
    person.types('\x1dn');
    await person.sees(/this is other[\s\S]* other · /);
    person.types('hello\r');
    await person.sees('heard:hello');
    person.types('\x1dd');
    await person.exited;
    expect(person.screen()).toContain('back:0');
  });

  test('attach again if another client revives the session', async () => {
    await daemon.sh('echo begun; read -r line; echo "heard:$line"; read -r more', '--name', 'shared');
    const person = open('orchd attach --keep --no-status shared');
    await person.sees('begun');
    person.types('one\r');
    await person.sees('heard:one');
    await daemon.orchd('kill', 'shared');
    await person.sees(/ended by SIG\w+ · r restarts · q leaves/);
    expect((await daemon.orchd('revive', 'shared')).code).toBe(0);
    await person.sees((screen) => !screen.includes('q leaves') && screen.includes('begun'));
    person.types('two\r');
    await person.sees('heard:two');
  });

  test('offer no restart with --read-only', async () => {
    const session = await daemon.sh('echo begun; read -r go; exit 4', '--name', 'look');
    const person = open('orchd attach --keep --read-only look');
    await person.sees('begun');
    await daemon.client.call('session.send', { session: session.id, text: '', enter: true });
    await person.sees(/ exited with code 4 · q leaves/);
  });

  test('cannot be combined with -d', async () => {
    const refused = await daemon.orchd('run', '-d', '--keep', '--', 'true');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('orchd attach --keep') });
  });
});
