/** Handler of `event.explain`. daemon/explain collects the explanation. */
import { type ExplainPorts, explain } from '../explain/index.js';
import type { Handlers } from './handler.js';

export const explainHandlers = (ports: ExplainPorts) =>
  ({
    'event.explain': async ({ what }, caller) => explain(ports, what, caller),
  }) satisfies Partial<Handlers>;
