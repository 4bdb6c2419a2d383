import { clientOn, ONE_MACHINE, onMachine, targetOf } from '../hub/remote-target.js';
import { columns } from '../printing/output.js';
import type { CommandSpec } from '../program/command.js';

export const explain: CommandSpec = {
  name: 'explain',
  group: 'Inbox and events',
  summary: 'Show the source of an event, an item or a session’s state: bytes, screen, rule, verdict, route, delivery.',
  args: '<event-or-item-or-session>',
  options: [ONE_MACHINE],
  examples: ['orchd explain 42', 'orchd explain itm_7k3', 'orchd explain build', 'orchd explain 42 --json'],
  async run(context, [selector = ''], options) {
    const { machine, selector: what } = targetOf(selector, options);
    const explanation = await clientOn(context, machine).call('event.explain', { what });
    const { printExplanation } = await import('../printing/print-explanation.js');
    await context.print(onMachine(explanation, machine), () =>
      printExplanation(explanation, context.paint, columns() || 80),
    );
    return undefined;
  },
};
