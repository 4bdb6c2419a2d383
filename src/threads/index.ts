/**
 * Threads of our own: a worker whose file lies beside the one that starts it, as a bundle, or as source in tests.
 */
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Of a worker's file. @param from  The `import.meta.url` of the file that starts it. */
export const workerBeside = (name: string, from: string): URL =>
  new URL(`./${name}.${from.endsWith('.ts') ? 'ts' : 'js'}`, from);

/**
 * From source the worker needs tsx, which Node 20 does not take from `execArgv` in a worker: so it is loaded by a line
 * of code.
 */
export function startWorker(url: URL, options: WorkerOptions): Worker {
  if (!url.pathname.endsWith('.ts')) return new Worker(url, { ...options, execArgv: [] });
  const tsx = import.meta.resolve('tsx/esm/api');
  const code = `import(${JSON.stringify(tsx)}).then((tsx) => tsx.tsImport(${JSON.stringify(url.href)}, ${JSON.stringify(url.href)}))`;
  return new Worker(code, { ...options, execArgv: [], eval: true });
}
