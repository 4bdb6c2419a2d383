import type { Handlers } from './context.js';

export const blueprintHandlers = {
  'blueprint.list': async (house, { project, all_projects }) => house.blueprints.list(project, all_projects),
  'blueprint.show': async (house, { name, project }) => house.blueprints.show(name, project),
  'blueprint.create': async (house, { project, in_files, ...definition }) =>
    house.blueprints.create(definition, project, in_files),
  'blueprint.update': async (house, { project, ...definition }) =>
    house.blueprints.update(definition.name, definition, project),
  'blueprint.delete': async (house, { name, project }) => house.blueprints.delete(name, project),
  'blueprint.validate': async (house, definition) => {
    const errors = await house.blueprints.validate(definition);
    return { valid: errors.length === 0, errors };
  },
} satisfies Partial<Handlers>;
