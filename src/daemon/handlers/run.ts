import { withDeadline } from '../deadline.js';
import type { Handlers } from './context.js';

export const runHandlers = {
  'run.start': async (house, input, caller) => house.runs.start(input, caller.session),
  'run.list': async (house, input) => house.runs.shelf.list(input),
  'run.show': async (house, { run }) => house.runs.shelf.show(run),
  'run.cancel': async (house, { run }) => house.runs.cancel(run),
  'run.retry': async (house, input) => house.runs.retry(input),
  'run.wait': async (house, { run, timeout_ms }, caller) =>
    house.runs.wait(run, timeout_ms === undefined ? caller.signal : withDeadline(caller.signal, timeout_ms)),
} satisfies Partial<Handlers>;
