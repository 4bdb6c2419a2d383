/**
 * The problems of a running daemon, in one sentence each: the same words in the TUI, `orchd status`, `orchd
 * doctor` and on standard error of other commands. The first finding is the most important one. Pure.
 */

import type { DaemonStatusOutput } from '../generated/types.js';
import { COMMIT, VERSION } from '../version.js';
import { diskWords, isDiskFull } from './disk-words.js';

export interface HealthFinding {
  readonly state: 'problem' | 'warning';
  /** A short form for a status line. */
  readonly brief: string;
  /** A sentence with the problem and its remedy. */
  readonly words: string;
}

interface Build {
  readonly version: string;
  readonly commit?: string | null;
}

interface OwnBuild extends Build {
  /** Time at which a client that runs for long has started, as `toISOString` writes it. A later daemon is newer. */
  readonly startedAt?: string;
}

type HealthInput = Pick<
  DaemonStatusOutput,
  'daemon' | 'host' | 'disk' | 'tcp' | 'web' | 'hub' | 'clock' | 'agent_gaps'
>;
type AgentGap = NonNullable<HealthInput['agent_gaps']>[number]['gap'];

/** Number of agents that a sentence names. */
const MAX_NAMES = 3;

/** @param own The build of the calling client. */
export function healthOf(
  { daemon, host, disk, tcp, web, hub, clock, agent_gaps: gaps = [] }: HealthInput,
  own: OwnBuild = { version: VERSION, commit: COMMIT },
): readonly HealthFinding[] {
  const findings: HealthFinding[] = [];
  const space = diskWords(disk);
  if (space !== null && disk) {
    const isFull = isDiskFull(disk);
    const brief = isFull ? 'the disk is full' : 'little disk space';
    findings.push({ state: isFull ? 'problem' : 'warning', brief, words: space });
  }
  if (clock) {
    const [from, to] = [clock.jumped_from.slice(0, 10), clock.jumped_to.slice(0, 10)];
    const words =
      `the clock has jumped from ${from} to ${to}, so nothing is removed by its age. Set it, or, if it is right, ` +
      '`orchd prune --trust-clock`';
    findings.push({ state: 'warning', brief: 'the clock has jumped', words });
  }
  if (!isSame(daemon, own)) {
    const isOlder = own.startedAt !== undefined && own.startedAt < daemon.started_at;
    const words = `the daemon is ${nameOf(daemon, own)}, and this orchd is ${nameOf(own, daemon)}`;
    findings.push(
      isOlder
        ? {
            state: 'warning',
            brief: 'orchd was renewed: leave and reopen',
            words: `${words}, started before it: leave it and start it again`,
          }
        : {
            state: 'warning',
            brief: 'another version runs: orchd restart',
            words: `${words}: \`orchd restart\` renews it`,
          },
    );
  }
  if (host.outdated) {
    findings.push({
      state: 'warning',
      brief: 'the host is older',
      words:
        `the host is of version ${host.version}, older than the daemon: \`orchd stop\` and \`orchd start\` ` +
        'renew it',
    });
  }
  if (tcp?.problem) findings.push({ state: 'warning', brief: 'no TCP', words: `no TCP: ${tcp.problem}` });
  if (web?.problem) {
    const words = `other devices cannot reach the dashboard: ${web.problem}`;
    findings.push({ state: 'warning', brief: 'no dashboard elsewhere', words });
  }
  if (hub?.problem) {
    const words = `the hub does not get the events of this machine: ${hub.problem}; see \`orchd hub status\``;
    findings.push({ state: 'warning', brief: 'no hub', words });
  }
  for (const gap of ['no_transcript', 'not_taught'] as const) {
    const names = gaps.filter((agent) => agent.gap === gap).map(({ name }) => name);
    if (names.length > 0) findings.push({ state: 'warning', ...gapWords(gap, names) });
  }
  return findings;
}

function gapWords(gap: AgentGap, names: readonly string[]): Pick<HealthFinding, 'brief' | 'words'> {
  const isOne = names.length === 1;
  const some = isOne ? names[0] : `${names.length} agents`;
  const more = names.length - MAX_NAMES;
  const all = `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  if (gap === 'no_transcript') {
    return {
      brief: `${some}: no transcript`,
      words: `${all} ${isOne ? 'is' : 'are'} heard by the screen alone, without hooks or a transcript: see \`orchd doctor\``,
    };
  }
  const [was, it] = isOne ? ['was', 'it sends messages only if its'] : ['were', 'they send messages only if their'];
  return {
    brief: `${some} not taught`,
    words: `${all} ${was} started without --teach, so ${it} own instructions say how (\`orchd prompt\`)`,
  };
}

/** If the commit of a build is not known, only the versions are compared. */
function isSame(one: Build, other: Build): boolean {
  if (one.version !== other.version) return false;
  return !one.commit || !other.commit || one.commit === other.commit;
}

/** Returns the version, with the commit if the versions are equal. */
const nameOf = ({ version, commit }: Build, other: Build): string =>
  version === other.version && commit ? `version ${version} (${commit})` : `version ${version}`;
