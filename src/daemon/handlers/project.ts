/**
 * Handler of `project.find`: finds the directory that a person means, given the home directory and the working
 * directories of all sessions.
 */
import { loginEnvironment } from '../program/index.js';
import { findDirectory } from '../projects/index.js';
import type { Registry } from '../registry/index.js';
import type { Handlers } from './handler.js';

export interface ProjectPorts {
  readonly registry: Registry;
}

export const projectHandlers = ({ registry }: ProjectPorts) =>
  ({
    'project.find': async ({ directory }) =>
      findDirectory(
        directory,
        loginEnvironment().HOME,
        registry.sessions().map(({ cwd }) => cwd),
      ),
  }) satisfies Partial<Handlers>;
