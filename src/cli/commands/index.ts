/** The commands, in the order of the help. */
import type { CommandSpec } from '../program/command.js';
import { agent } from './agent.js';
import { answer } from './answer.js';
import { api } from './api.js';
import { attach } from './attach.js';
import { capture } from './capture.js';
import { completion } from './completion.js';
import { config } from './config.js';
import { demo } from './demo.js';
import { diff } from './diff.js';
import { doctor } from './doctor.js';
import { down } from './down.js';
import { events } from './events.js';
import { explain } from './explain.js';
import { exportCommand } from './export.js';
import { git } from './git.js';
import { grid } from './grid.js';
import { hook } from './hook.js';
import { hub } from './hub.js';
import { importCommand } from './import.js';
import { inbox } from './inbox.js';
import { keys } from './keys.js';
import { kill } from './kill.js';
import { logs } from './logs.js';
import { ls } from './ls.js';
import { mcp } from './mcp.js';
import { metrics } from './metrics.js';
import { notify } from './notify.js';
import { parse } from './parse.js';
import { prompt } from './prompt.js';
import { prune } from './prune.js';
import { rename } from './rename.js';
import { replay } from './replay.js';
import { resize } from './resize.js';
import { restart } from './restart.js';
import { revive } from './revive.js';
import { rm } from './rm.js';
import { run } from './run.js';
import { runs } from './runs.js';
import { send } from './send.js';
import { service } from './service.js';
import { show } from './show.js';
import { start } from './start.js';
import { status } from './status.js';
import { stop } from './stop.js';
import { stream } from './stream.js';
import { tag } from './tag.js';
import { task } from './task.js';
import { tool } from './tool.js';
import { up } from './up.js';
import { validate } from './validate.js';
import { version } from './version.js';
import { wait } from './wait.js';
import { web } from './web.js';
import { workflow } from './workflow.js';

export const COMMANDS: readonly CommandSpec[] = [
  start,
  status,
  stop,
  restart,
  web,
  service,
  metrics,
  doctor,
  prune,
  logs,
  config,
  api,
  run,
  up,
  down,
  ls,
  show,
  diff,
  git,
  attach,
  grid,
  stream,
  send,
  keys,
  capture,
  resize,
  rename,
  tag,
  wait,
  kill,
  revive,
  rm,
  replay,
  exportCommand,
  importCommand,
  inbox,
  answer,
  events,
  explain,
  notify,
  agent,
  runs,
  task,
  workflow,
  hub,
  tool,
  mcp,
  hook,
  parse,
  validate,
  prompt,
  demo,
  completion,
  version,
];
