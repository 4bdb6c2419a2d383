/** Checks the conclusions from a transcript that is silent. */
import { describe, expect, it } from 'vitest';
import { Silence, type Submission } from './silence.js';

/** Plays a second turn. In the first turn the agent worked, and its transcript grew. */
function turn(input: Submission): Silence {
  const silence = new Silence();
  silence.beginTurn('prompt');
  silence.written();
  silence.acted('busy', 0);
  silence.acted('idle', 100);
  silence.beginTurn(input);
  return silence;
}

describe('a silent transcript', () => {
  it('is lost after a working turn for a known prompt', () => {
    const silence = turn('prompt');
    silence.acted('busy', 1_000);
    expect(silence.deadline).toBeNull();
    silence.acted('idle', 5_000);
    expect(silence.isLost(6_499)).toBe(false);
    expect(silence.isLost(6_500)).toBe(true);
  });

  it('is not lost while it contains the prompt or other text', () => {
    const silence = turn('prompt');
    silence.acted('busy', 1_000);
    silence.written();
    silence.acted('idle', 5_000);
    expect(silence.deadline).toBeNull();
  });

  it('is lost after two working turns from keystrokes, but not after a command of the program', () => {
    const silence = turn('unknown');
    silence.acted('busy', 1_000);
    silence.acted('idle', 2_000);
    expect(silence.deadline).toBeNull();
    silence.beginTurn('unknown');
    silence.acted('busy', 10_000);
    silence.acted('idle', 11_000);
    expect(silence.deadline).toBe(12_500);
    const command = turn('command');
    command.acted('busy', 1_000);
    command.acted('idle', 2_000);
    expect(command.deadline).toBeNull();
  });

  it('belongs to an agent that was working when the next input came', () => {
    const silence = turn('prompt');
    silence.acted('busy', 1_000);
    silence.beginTurn('unknown');
    expect(silence.isOthers).toBe(false);
  });
});

describe('the screen text', () => {
  it('belongs to another program if the agent was not working', () => {
    expect(turn('unknown').isOthers).toBe(true);
    const working = turn('unknown');
    working.acted('busy', 1_000);
    expect(working.isOthers).toBe(false);
    const written = turn('unknown');
    written.written();
    expect(written.isOthers).toBe(false);
  });

  it('belongs to another program if the transcript says so, even while the agent works', () => {
    const silence = turn('prompt');
    silence.acted('busy', 1_000);
    silence.local();
    expect(silence.isOthers).toBe(true);
    silence.beginTurn('prompt');
    expect(silence.isOthers).toBe(false);
  });

  it('may belong to the agent after a prompt of orchd, or if the agent was never seen working', () => {
    expect(turn('prompt').isOthers).toBe(false);
    const silence = new Silence();
    silence.beginTurn('unknown');
    expect(silence.isOthers).toBe(false);
  });

  it('is judged the same after a checkpoint', () => {
    const silence = turn('unknown');
    expect(new Silence(silence.state()).isOthers).toBe(true);
  });
});
