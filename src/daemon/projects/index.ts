/** The directories in which programs are started, and the projects around them. */

export { findDirectory, projectOf } from './find-directory.js';
