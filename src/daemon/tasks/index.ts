/** Tasks: work that is planned, asked about and done. */
export { Submissions } from './submissions.js';
export { Tasks } from './tasks.js';
