/** Tests which programs the driver waits for, and by which row of their screens it knows that they accept input. */
import { describe, expect, test } from 'vitest';
import { GENERIC } from '../../src/session/adapters/index.js';
import { AGENTS } from './agents.js';
import { OTHER_PROGRAMS } from './other-programs.js';
import { signOf } from './wait-until-ready.js';

describe('signOf', () => {
  test.each(AGENTS.map((agent) => [agent.name, agent] as const))(
    'returns null if an adapter of orchd recognizes readiness (%s)',
    (_, agent) => {
      expect(signOf({ agent, hostedAs: agent.adapter })).toBeNull();
    },
  );
  test.each([...AGENTS, ...OTHER_PROGRAMS].map((agent) => [agent.name, agent] as const))(
    'returns a row pattern if orchd hosts the program as generic (%s)',
    (_, agent) => {
      expect(signOf({ agent, hostedAs: GENERIC.name })?.row).toBeInstanceOf(RegExp);
    },
  );
});
