/**
 * The service manager that starts orchd at login and keeps it running: systemd's user manager, or launchd.
 *
 * A manager knows the path and content of its service file and how to call its tool. All calls go through `run`, so
 * that a test can replace the tool.
 */
import { execFile } from 'node:child_process';
import { OrchdError } from '../../protocol/index.js';

/** The program and the environment of the service. */
export interface ServiceSpec {
  readonly node: string;
  /** The arguments of Node: its own options, then the daemon's file. All paths are absolute. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface ServiceState {
  readonly isEnabled: boolean;
  readonly isRunning: boolean;
  /** Pid of the daemon that the manager started. */
  readonly pid: number | null;
}

export interface ServiceManager {
  readonly name: 'systemd' | 'launchd';
  readonly file: string;
  /**
   * Returns the text of the service file.
   * @throws {OrchdError} ORCHD_SERVICE for a path or value that the file cannot contain.
   */
  text(spec: ServiceSpec): string;
  /** Starts the service now and at every login. Call it after the file is written. */
  enable(): Promise<void>;
  /** Replaces the daemon that the manager started. */
  restart(): Promise<void>;
  /** Ends the daemon that the manager started and disables the service. The file is not removed. */
  disable(): Promise<void>;
  state(): Promise<ServiceState>;
  /** Returns further advice for the person, in sentences. */
  advice(): Promise<readonly string[]>;
}

interface ToolResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
export type RunTool = (tool: string, args: readonly string[]) => Promise<ToolResult>;

const TOOL_MS = 30_000;

/**
 * @returns A function that runs a tool found on the PATH.
 * @throws {OrchdError} ORCHD_SERVICE if the tool is not installed.
 */
export function createRunTool(env: NodeJS.ProcessEnv): RunTool {
  return (tool, args) =>
    new Promise((resolve, reject) => {
      execFile(tool, [...args], { env, timeout: TOOL_MS }, (error, stdout, stderr) => {
        if (error?.code === 'ENOENT') reject(new OrchdError('ORCHD_SERVICE', `there is no ${tool} on this machine`));
        else resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      });
    });
}

/**
 * Runs a tool that must succeed.
 * @throws {OrchdError} ORCHD_SERVICE with the tool's message.
 */
export async function mustRun(run: RunTool, tool: string, args: readonly string[]): Promise<ToolResult> {
  const result = await run(tool, args);
  if (result.code === 0) return result;
  const said = (result.stderr || result.stdout).trim().split('\n')[0] ?? '';
  throw new OrchdError(
    'ORCHD_SERVICE',
    `\`${[tool, ...args].join(' ')}\` failed: ${said || `exit code ${result.code}`}`,
  );
}

/**
 * Rejects control characters, because a line end would start a new line in the service file.
 * @throws {OrchdError} ORCHD_SERVICE
 */
export function oneLine(text: string): string {
  if (!/[\x00-\x1f\x7f]/.test(text)) return text;
  throw new OrchdError('ORCHD_SERVICE', `a service cannot have control characters in ${JSON.stringify(text)}`);
}
