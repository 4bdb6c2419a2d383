import { explain } from '../explain/index.js';
import type { Handlers } from './context.js';

export const explainHandlers = {
  'event.explain': async (house, { what }, caller) => explain(house, what, caller),
} satisfies Partial<Handlers>;
