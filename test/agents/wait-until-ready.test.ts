/** Tests for which programs the driver waits, and for which row of their screens. */
import { describe, expect, test } from 'vitest';
import { GENERIC } from '../../src/session/adapters/index.js';
import { AGENTS } from './agents.js';
import { OTHER_PROGRAMS } from './other-programs.js';
import { signOf } from './wait-until-ready.js';

describe('the sign that a program takes input', () => {
  test.each(AGENTS.map((agent) => [agent.name, agent] as const))(
    'is orchd’s to see with an adapter (%s)',
    (_, agent) => {
      expect(signOf({ agent, hostedAs: agent.adapter })).toBeNull();
    },
  );
  test.each([...AGENTS, ...OTHER_PROGRAMS].map((agent) => [agent.name, agent] as const))(
    'is the driver’s to see if only the screen is read (%s)',
    (_, agent) => {
      expect(signOf({ agent, hostedAs: GENERIC.name })?.row).toBeInstanceOf(RegExp);
    },
  );
});
