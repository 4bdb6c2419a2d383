/** Files and directories that another program or person may have changed. */
export { isDirectory, isProgram } from './file-kinds.js';
export { makeDirectory } from './make-directory.js';
export { readOwnFile, readRegularFile } from './read-regular-file.js';
