/**
 * Handlers of the `blueprint.*` operations. They pass requests to daemon/blueprints, which looks up, checks and stores
 * blueprints.
 */
import type { Blueprints } from '../blueprints/index.js';
import type { Handlers } from './handler.js';

export interface BlueprintPorts {
  readonly blueprints: Blueprints;
}

export const blueprintHandlers = ({ blueprints }: BlueprintPorts) =>
  ({
    'blueprint.list': async ({ project, all_projects }) => blueprints.list(project, all_projects),
    'blueprint.show': async ({ name, project }) => blueprints.show(name, project),
    'blueprint.create': async ({ project, in_files, ...definition }) =>
      blueprints.create(definition, project, in_files),
    'blueprint.update': async ({ project, ...definition }) => blueprints.update(definition.name, definition, project),
    'blueprint.delete': async ({ name, project }) => blueprints.delete(name, project),
    'blueprint.validate': async (definition) => {
      const errors = await blueprints.validate(definition);
      return { valid: errors.length === 0, errors };
    },
  }) satisfies Partial<Handlers>;
