/** Workflows of the first machine of a hub, with goals for each other machine and for a label. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowRun } from '../../../../src/protocol/index.js';
import { check, until } from '../home.js';
import { MACHINES, type TestedHub } from './tested-hub.js';

/** Goals for the label in each workflow. */
const ENTRIES = 8;
const GOALS = MACHINES - 1 + ENTRIES;

export class PlacedGoals {
  readonly #hub: TestedHub;
  /** Each run writes its id here when it begins. */
  readonly #starts: string;
  readonly #file: string;
  readonly #workflows: string[] = [];

  private constructor(hub: TestedHub) {
    this.#hub = hub;
    this.#starts = join(hub.folder, 'starts');
    const flow = join(hub.folder, 'flow');
    mkdirSync(flow);
    this.#file = join(flow, 'Agentfile');
    const others = hub.machines.slice(1);
    const lines = [
      'NAME placed',
      'INPUT list',
      ...others.map(({ name }) => `GOAL on-${name} "Do it" ON ${name} WITH note`),
      'GOAL each "Do $entry" FOREACH $entry IN $list ON label:any WITH note',
    ];
    writeFileSync(this.#file, lines.join('\n'));
  }

  static async create(hub: TestedHub): Promise<PlacedGoals> {
    const goals = new PlacedGoals(hub);
    const script = `echo "$ORCHD_RUN_ID" >> ${goals.#starts}; sleep 3; echo done`;
    for (const { home } of hub.machines) {
      await home.client.call('blueprint.create', { name: 'note', adapter: 'shell', args: ['sh', '-c', script] });
    }
    return goals;
  }

  /** Starts one more workflow. */
  async place(): Promise<void> {
    const list = JSON.stringify(Array.from({ length: ENTRIES }, (_, at) => `e${at}`));
    const args = ['workflow', 'run', '-d', '-C', this.#hub.folder, '--jobs', '12', '--input', `list=${list}`];
    this.#workflows.push((await this.#hub.first.home.must([...args, this.#file])).trim());
  }

  /** Prints the goals that are not over, and what became of their commands. */
  async #tellRunning(workflow: string): Promise<void> {
    const { client } = this.#hub.first.home;
    const { steps } = await client.call('workflow.show', { workflow });
    const commands = await client.call('hub.commands', {});
    for (const { run_id: id, state, machine } of steps.flatMap((step) => step.runs)) {
      if (state !== 'running') continue;
      const about = commands.filter((one) => one.id.includes(id)).map((one) => `${one.id} ${one.to} ${one.state}`);
      console.log(`hub: ${id} runs on ${machine}: ${about.join(', ')}`);
      for (const { name, home } of this.#hub.machines) {
        const run = await home.client.call('run.show', { run: id }).catch(() => null);
        if (run) console.log(`hub: ${name} has ${id}: ${run.state}, since ${run.created_at}`);
      }
    }
  }

  async check(limitMs: number): Promise<void> {
    const { client } = this.#hub.first.home;
    const ids: string[] = [];
    for (const workflow of this.#workflows) {
      const isOver = async (): Promise<WorkflowRun | null> => {
        const run = await client.call('workflow.show', { workflow });
        return run.ended_at === null ? null : run;
      };
      const { state, steps, error } = await until(`workflow ${workflow} is over`, isOver, limitMs).catch(
        async (cause: unknown) => {
          await this.#tellRunning(workflow);
          throw cause;
        },
      );
      if (state !== 'completed') check(`workflow ${workflow} is completed: ${error?.message}`, false);
      const runs = steps.flatMap((step) => step.runs);
      if (runs.length !== GOALS) check(`the ${GOALS} goals of ${workflow} have one result each`, false);
      ids.push(...runs.map(({ run_id }) => run_id));
    }
    check(`${this.#workflows.length} workflows are completed, with one result for each of ${ids.length} goals`, true);
    const started = existsSync(this.#starts) ? readFileSync(this.#starts, 'utf8').trim().split('\n') : [];
    const known = new Set(started);
    check(
      'no goal was lost',
      ids.every((id) => known.has(id)),
    );
    console.log(`hub: ${ids.length} goals, started ${started.length} times`);
    check('few goals were started again', started.length < 2 * ids.length);
  }
}
