/**
 * Starts worker threads from their bundles: those beside the bundle that starts them, or in dist/ if a source file
 * does, as in tests.
 */
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Returns the URL of a worker's bundle.
 * @param from The `import.meta.url` of the file that starts it.
 */
export const workerBundle = (name: string, from: string): URL =>
  new URL(from.endsWith('.ts') ? `../../dist/${name}.cjs` : `./${name}.cjs`, from);

/** Starts a worker without the flags of this process. */
export const startWorker = (url: URL, options: WorkerOptions): Worker => new Worker(url, { ...options, execArgv: [] });
