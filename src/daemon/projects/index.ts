/** The directories in which programs are started, the projects around them, and the text files of projects. */

export { enclosingProject, findDirectory } from './find-directory.js';
export { leadsOut, outsideOf, type ProjectText, readProjectText } from './project-text.js';
