/**
 * What starts orchd at login and keeps it running: systemd's user manager, or launchd.
 *
 * A manager knows where its file lies, what stands in it, and how its own tool is asked. `run` is the only way to the
 * outside, so that a test puts a tool of its own in its place.
 */
import { execFile } from 'node:child_process';
import { OrchdError } from '../../protocol/index.js';

/** What the service is to run, and with what in its environment. */
export interface ServiceSpec {
  readonly node: string;
  /** Node's own options, then the daemon's file: all absolute. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ServiceState {
  readonly isEnabled: boolean;
  readonly isRunning: boolean;
  /** Of the daemon that the manager started. */
  readonly pid: number | null;
}

export interface ServiceManager {
  readonly name: 'systemd' | 'launchd';
  readonly file: string;
  /** @throws {OrchdError} ORCHD_SERVICE for a path or value that the file cannot hold. */
  text(spec: ServiceSpec): string;
  /** The file is written: makes the manager take it, now and at every login. */
  enable(): Promise<void>;
  /** Replaces the daemon that the manager started. */
  restart(): Promise<void>;
  /** Ends the daemon that the manager started, and lets go of the service; the file is still there. */
  disable(): Promise<void>;
  state(): Promise<ServiceState>;
  /** What else is to be known or done, in sentences. */
  advice(): Promise<readonly string[]>;
}

export interface ToolResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
export type RunTool = (tool: string, args: readonly string[]) => Promise<ToolResult>;

const TOOL_MS = 30_000;

/** @returns What runs a tool as found on the PATH. @throws {OrchdError} ORCHD_SERVICE when it is not there. */
export function createRunTool(env: NodeJS.ProcessEnv): RunTool {
  return (tool, args) =>
    new Promise((resolve, reject) => {
      execFile(tool, [...args], { env, timeout: TOOL_MS }, (error, stdout, stderr) => {
        if (error?.code === 'ENOENT') reject(new OrchdError('ORCHD_SERVICE', `there is no ${tool} on this machine`));
        else resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      });
    });
}

/** Runs a tool that has to succeed. @throws {OrchdError} ORCHD_SERVICE with what it said. */
export async function mustRun(run: RunTool, tool: string, args: readonly string[]): Promise<ToolResult> {
  const result = await run(tool, args);
  if (result.code === 0) return result;
  const said = (result.stderr || result.stdout).trim().split('\n')[0] ?? '';
  throw new OrchdError(
    'ORCHD_SERVICE',
    `\`${[tool, ...args].join(' ')}\` failed: ${said || `exit code ${result.code}`}`,
  );
}

/** A line end would begin a line of its own in the file. @throws {OrchdError} ORCHD_SERVICE */
export function oneLine(text: string): string {
  if (!/[\x00-\x1f\x7f]/.test(text)) return text;
  throw new OrchdError('ORCHD_SERVICE', `a service cannot have control characters in ${JSON.stringify(text)}`);
}
