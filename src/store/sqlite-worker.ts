/**
 * The SQLite store's thread, in which an fsync may take any time. It opens the file and answers requests one after the
 * other. It has no timers: between two requests it sleeps. A separate bundle, dist/sqlite-worker.cjs.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Database } from './sqlite-driver.js';
import { SqliteLog } from './sqlite-log.js';
import { type Failure, OPEN_ID, type Reply, type Request, type WorkerInput } from './sqlite-messages.js';
import { describeFailure, openDatabase, type StoreFailure } from './sqlite-schema.js';

const { path, maxPages } = workerData as WorkerInput; // from sqlite-store.ts

/** Opens the file, and answers requests from then on. */
async function serve(port: MessagePort): Promise<void> {
  const reply = (message: Reply): void => port.postMessage(message);
  try {
    const db = await openDatabase(path, maxPages);
    const log = openLog(db);
    port.on('message', (request: Request) => {
      try {
        reply({ id: request.id, result: answer(log, db, request) });
      } catch (error) {
        reply({ id: request.id, failure: toFailure(describeFailure(error, path, doing(request.kind))) });
      }
      if (request.kind === 'close') port.close();
    });
    reply({ id: OPEN_ID });
  } catch (error) {
    reply({ id: OPEN_ID, failure: toFailure(describeFailure(error, path, 'open')) });
  }
}

function answer(log: SqliteLog, db: Database, request: Request): unknown {
  switch (request.kind) {
    case 'commit':
      return log.commit(request.input);
    case 'read':
      return log.readPage(request.input);
    case 'firstSeq':
      return log.firstSeq();
    case 'seqAt':
      return log.seqAt(request.input);
    case 'load':
      return log.load();
    case 'prune':
      return log.prune(request.input.beforeSeq, request.input.limit);
    case 'close':
      db.close();
      return null;
  }
}

function openLog(db: Database): SqliteLog {
  try {
    return new SqliteLog(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function doing(kind: Request['kind']): 'read' | 'write' {
  return kind === 'commit' || kind === 'prune' || kind === 'close' ? 'write' : 'read';
}

function toFailure({ code, message }: StoreFailure): Failure {
  return { code, message };
}

if (!parentPort) throw new Error('this file is a worker');
void serve(parentPort);
