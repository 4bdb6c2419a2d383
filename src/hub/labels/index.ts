/** Work for any machine with a label: one queue for each label, in the stream `orchd_work`. */
export { type Offered, WorkOffers } from './work-offers.js';
export { workProblem } from './work-problem.js';
export { type Begun, type HeldWork, WorkQueue, type WorkQueuePorts } from './work-queue.js';
