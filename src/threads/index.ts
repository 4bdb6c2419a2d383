/**
 * Starts worker threads whose file is beside the one that starts them: a bundle, or a source file in tests.
 */
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Returns the URL of a worker's file.
 * @param from The `import.meta.url` of the file that starts it.
 */
export const workerBeside = (name: string, from: string): URL =>
  new URL(`./${name}.${from.endsWith('.ts') ? 'ts' : 'js'}`, from);

/**
 * Starts a worker. A source file needs tsx, which Node 20 does not accept in a worker's `execArgv`. The worker
 * therefore loads tsx in a line of code.
 */
export function startWorker(url: URL, options: WorkerOptions): Worker {
  if (!url.pathname.endsWith('.ts')) return new Worker(url, { ...options, execArgv: [] });
  const tsx = import.meta.resolve('tsx/esm/api');
  const code =
    `import(${JSON.stringify(tsx)}).then((tsx) => tsx.tsImport(${JSON.stringify(url.href)}, ` +
    `${JSON.stringify(url.href)}))`;
  return new Worker(code, { ...options, execArgv: [], eval: true });
}
