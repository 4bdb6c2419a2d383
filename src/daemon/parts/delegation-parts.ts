/** Builds the parts for delegated work: blueprints, runs, tasks, workflows, their tools, and pruning. */
import { ResultChecker } from '../../results/index.js';
import { Blueprints, StoredBlueprints } from '../blueprints/index.js';
import { Prune } from '../disk/index.js';
import { RunNotices, Runs, Spawning } from '../runs/index.js';
import { Submissions, Tasks } from '../tasks/index.js';
import { Tools } from '../tools/index.js';
import { PlacedRuns, RemoteRuns, Workflows } from '../workflows/index.js';
import type { Base } from './base.js';
import type { InteractionParts } from './interaction-parts.js';
import type { RegistryParts } from './registry-parts.js';
import type { SessionParts } from './session-parts.js';
import type { Storage } from './storage.js';

export type DelegationParts = ReturnType<typeof createDelegationParts>;

/** Creates the parts for delegated work from the parts that were built earlier. */
export function createDelegationParts(earlier: Base & Storage & RegistryParts & InteractionParts & SessionParts) {
  const { config, lifetime, now, registry, outbox, bus, state, notices, messages, runCollection } = earlier;
  const { parallel, adapter: defaultAdapter, max_depth: maxDepth, max_children: maxChildren } = config.runs;
  const { retention, profiles } = config;
  const checker = new ResultChecker();
  const blueprints = new Blueprints({ stored: new StoredBlueprints({ outbox, bus, now }, state.blueprints), checker });
  const runNotices = new RunNotices();
  const remoteRuns = new RemoteRuns();
  const common = { ...earlier, blueprints, defaultAdapter, remoteRuns };
  const killGraceMs = config.sessions.kill_grace_ms;
  const runs = new Runs({ ...common, collection: runCollection, notices: runNotices, checker, parallel, killGraceMs });
  const tasks = new Tasks({ ...common, runs });
  const workflows = new Workflows({ ...common, runs, profiles, maxDepth });
  const placedRuns = new PlacedRuns({ ...common, runs, profiles });
  const spawning = new Spawning({ runs, registry, blueprints, defaultAdapter, maxChildren, maxDepth });
  const submissions = new Submissions({ runs, tasks, blueprints });
  const tools = new Tools({
    messages,
    runs: runCollection,
    own: {
      spawn_agent: (...call) => spawning.call(...call),
      'planner-output': (entry, call) => submissions.call('planner-output', entry, call),
      'completion-report': (entry, call) => submissions.call('completion-report', entry, call),
    },
  });
  const prune = new Prune({ ...earlier, runs, tasks, workflows, retention });
  notices.item.subscribe((item) => {
    tasks.onItem(item);
    runs.onItem(item);
    workflows.onItem(item);
  });
  notices.end.subscribe((entry) => runs.onSessionEnd(entry));
  runNotices.asking.subscribe((run) => workflows.onAsking(run));
  runNotices.left.subscribe(() => placedRuns.onPlaceLeft());
  runNotices.over.subscribe((run) => {
    tasks.onRunOver(run);
    workflows.onRunOver(run);
  });
  for (const part of [runs, tasks, workflows]) lifetime.onStop(() => part.close());
  lifetime.onClose(() => checker.close());
  lifetime.onClose(() => prune.close());
  return { blueprints, runs, tasks, workflows, remoteRuns, placedRuns, tools, prune };
}
