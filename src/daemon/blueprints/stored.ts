/**
 * The blueprints in the daemon's store, by project and name.
 *
 * In:   the store's rows at the start; checked definitions.
 * Out:  rows that are on disk before a caller gets the reply, each with its event. Does not read files and does not
 *       validate.
 */
import { timestamp } from '../../lifecycle/index.js';
import { type Blueprint, type BlueprintDefinition, definitionOf } from '../../protocol/index.js';
import type { NewEvent, Row } from '../../store/index.js';
import { type EventBus, needRoom, type Outbox } from '../events/index.js';

/** The value of a row. */
interface StoredValue {
  readonly project: string | null;
  readonly definition: BlueprintDefinition;
  readonly created_at: string;
  readonly updated_at: string;
}

interface StoredPorts {
  readonly outbox: Outbox;
  readonly bus: EventBus;
  readonly now: () => number;
}

/** Returns the id of a row; a name contains no slash. */
export const blueprintId = (project: string | null, name: string): string => `${project ?? ''}/${name}`;

/** Holds the blueprints of the daemon's store, and writes each change with its event. */
export class StoredBlueprints {
  readonly #ports: StoredPorts;
  readonly #values = new Map<string, StoredValue>();

  constructor(ports: StoredPorts, rows: readonly Row[]) {
    this.#ports = ports;
    for (const { id, value } of rows) this.#values.set(id, value as StoredValue); // only orchd writes rows
  }

  get(project: string | null, name: string): Blueprint | null {
    const value = this.#values.get(blueprintId(project, name));
    return value ? shown(value) : null;
  }

  all(): Blueprint[] {
    return [...this.#values.values()].map(shown);
  }

  /**
   * Resolves when the definition is on disk.
   * @throws {OrchdError} ORCHD_STORE_FULL
   */
  async put(project: string | null, definition: BlueprintDefinition): Promise<void> {
    const id = blueprintId(project, definition.name);
    const now = timestamp(this.#ports.now());
    const value = { project, definition, created_at: this.#values.get(id)?.created_at ?? now, updated_at: now };
    const event = { ...this.#event('blueprint_saved', project, definition.name), source: 'stored' };
    await this.#commit(event, { blueprints: [{ id, value }] }, () => this.#values.set(id, value));
  }

  /** @throws {OrchdError} ORCHD_STORE_FULL */
  async remove(project: string | null, name: string): Promise<void> {
    const id = blueprintId(project, name);
    const event = { ...this.#event('blueprint_deleted', project, name), source: 'stored' };
    await this.#commit(event, { removes: { blueprints: [id] } }, () => this.#values.delete(id));
  }

  /** Records the event for a blueprint whose files are already written. */
  async tell(what: 'blueprint_saved' | 'blueprint_deleted', project: string, name: string): Promise<void> {
    await this.#commit({ ...this.#event(what, project, name), source: 'file' }, {}, () => {});
  }

  #event(event_type: string, project: string | null, name: string): NewEvent {
    return { event_type, timestamp: timestamp(this.#ports.now()), name, project };
  }

  #commit(event: NewEvent, rows: object, onCommitted: () => void): Promise<void> {
    const { outbox, bus } = this.#ports;
    needRoom(outbox, 'nothing can be saved');
    return outbox.commit({ events: [event], ...rows }, (committed) => {
      onCommitted();
      bus.publish([event], committed);
    });
  }
}

function shown({ project, definition, created_at, updated_at }: StoredValue): Blueprint {
  const place = { project, source: 'stored', file: null, shadows: false } as const;
  return { description: '', type: 'autonomous', ...definitionOf(definition), ...place, created_at, updated_at };
}
