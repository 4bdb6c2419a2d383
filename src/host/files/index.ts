/** Files and directories that another program or person may have changed. */
export { directoryId, isProgram, isThere } from './file-kinds.js';
export { makeDirectory } from './make-directory.js';
export { readOwnFile } from './read-regular-file.js';
