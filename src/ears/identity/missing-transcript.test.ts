/** Checks the conclusions from a transcript that is silent. */
import { describe, expect, it } from 'vitest';
import { MissingTranscript, type Submission } from './missing-transcript.js';

/** Plays a second turn. In the first turn the agent worked, and its transcript grew. */
function turn(input: Submission): MissingTranscript {
  const missing = new MissingTranscript();
  missing.beginTurn('prompt');
  missing.written();
  missing.acted('busy', 0);
  missing.acted('idle', 100);
  missing.beginTurn(input);
  return missing;
}

describe('a silent transcript', () => {
  it('is lost after a working turn for a known prompt', () => {
    const missing = turn('prompt');
    missing.acted('busy', 1_000);
    expect(missing.deadline).toBeNull();
    missing.acted('idle', 5_000);
    expect(missing.isLost(6_499)).toBe(false);
    expect(missing.isLost(6_500)).toBe(true);
  });

  it('is not lost while it contains the prompt or other text', () => {
    const missing = turn('prompt');
    missing.acted('busy', 1_000);
    missing.written();
    missing.acted('idle', 5_000);
    expect(missing.deadline).toBeNull();
  });

  it('is lost after two working turns from keystrokes, but not after a command of the program', () => {
    const missing = turn('unknown');
    missing.acted('busy', 1_000);
    missing.acted('idle', 2_000);
    expect(missing.deadline).toBeNull();
    missing.beginTurn('unknown');
    missing.acted('busy', 10_000);
    missing.acted('idle', 11_000);
    expect(missing.deadline).toBe(12_500);
    const command = turn('command');
    command.acted('busy', 1_000);
    command.acted('idle', 2_000);
    expect(command.deadline).toBeNull();
  });

  it('belongs to an agent that was working when the next input came', () => {
    const missing = turn('prompt');
    missing.acted('busy', 1_000);
    missing.beginTurn('unknown');
    expect(missing.isOthers).toBe(false);
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
    const missing = turn('prompt');
    missing.acted('busy', 1_000);
    missing.local();
    expect(missing.isOthers).toBe(true);
    missing.beginTurn('prompt');
    expect(missing.isOthers).toBe(false);
  });

  it('may belong to the agent after a prompt of orchd, or if the agent was never seen working', () => {
    expect(turn('prompt').isOthers).toBe(false);
    const missing = new MissingTranscript();
    missing.beginTurn('unknown');
    expect(missing.isOthers).toBe(false);
  });

  it('is judged the same after a checkpoint', () => {
    const missing = turn('unknown');
    expect(new MissingTranscript(missing.state()).isOthers).toBe(true);
  });
});
