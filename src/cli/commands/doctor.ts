/** `orchd doctor`: prints the checks of the system, and what orchd does for each installed agent. */
import type { AgentReport } from '../../session/index.js';
import { runChecks } from '../daemon/doctor-checks.js';
import type { CommandSpec } from '../program/command.js';

export const doctor: CommandSpec = {
  name: 'doctor',
  group: 'Daemon',
  summary:
    'Check that everything that orchd needs exists and works, and show what orchd does for each installed agent.',
  quiet: 'print problems only',
  examples: ['orchd doctor', 'orchd doctor --json'],
  async run(context) {
    const findings = await runChecks(context);
    const problems = findings.filter(({ state }) => state === 'problem').length;
    const { ADAPTERS, checkAgents } = await import('../../session/index.js');
    const agents = await checkAgents(ADAPTERS, {
      env: context.env,
      cwd: context.cwd,
      cacheFile: context.paths.agentFlagsFile,
      agentsDir: context.paths.agentsDir,
    });
    await context.print({ findings, agents, ok: problems === 0 }, () => {
      const shown = context.isQuiet ? findings.filter(({ state }) => state !== 'ok') : findings;
      const marks = {
        ok: context.paint('green', '✓ ok     '),
        warning: context.paint('yellow', '! warning'),
        problem: context.paint('red', '✗ problem'),
      };
      const checks = shown.map(({ state, check, detail }) => `${marks[state]}  ${check.padEnd(17)} ${detail}\n`);
      if (context.isQuiet) return checks.join('');
      return [...checks, '\n', ...agents.map((agent) => describeAgent(agent, marks.warning))].join('');
    });
    return problems === 0 ? undefined : 1;
  },
};

function describeAgent(agent: AgentReport, warning: string): string {
  const {
    name,
    label,
    path,
    problem,
    isScript,
    version,
    triedVersion,
    addedArguments,
    addedVariables,
    missingFlags,
    hears,
    teachable,
    tools,
  } = agent;
  if (path === null) return `${label}: not installed\n`;
  if (isScript) {
    const said = 'a shell script: it is not asked, nothing is added, and it is heard by its screen';
    return `${label}: ${path}\n    ${said}; \`--adapter ${name}\` if it starts the agent\n`;
  }
  const tried = version === triedVersion ? 'the version that was tried' : `tried with ${triedVersion}`;
  const added = [...addedArguments, ...addedVariables.map((name) => `${name}=…`)].join(' ');
  return [
    `${label}: ${version ?? 'does not tell its version'} (${tried}) at ${path}`,
    ...(problem === null ? [] : [`${warning}  ${problem}: run it yourself to see why, or install it again`]),
    `heard by its ${hears.join(' and its ')}; --teach ${teachable ? 'works' : 'does not work: use `orchd prompt`'}`,
    `the tools: ${tools ? 'offered by MCP with --teach or --tools' : 'by `orchd tool` in its shell'}`,
    `added at the start: ${added || 'nothing'}`,
    ...(missingFlags.length > 0 ? [`without ${missingFlags.join(', ')}: this version does not have it`] : []),
    ...agent.notes,
  ]
    .map((line, i) => `${i === 0 ? '' : '    '}${line}\n`)
    .join('');
}
