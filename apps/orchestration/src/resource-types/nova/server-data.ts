/** What a server keeps for itself: ports that were made for it, and what is left of an update. */
import type { Json, JsonObject } from '../../json/json.js';
import { asObjects } from '../property-values.js';
import type { ResourceScope } from '../resource-type.js';

export interface ServerData {
  /** Ports that go with it. */
  readonly ports: readonly string[];
  /** How many were ever made for it: each has a key of its own. */
  readonly made: number;
  /** What is left to do of an update, in its order; the first may have begun. */
  readonly steps: readonly JsonObject[];
}

/** Kept at once with each change, so that whoever goes on after a crash knows of it. */
export class KeptServer {
  #data: JsonObject;

  constructor(private readonly scope: ResourceScope) {
    this.#data = scope.row.data;
  }

  get data(): JsonObject {
    return this.#data;
  }

  get ports(): readonly string[] {
    const { ports } = this.#data;
    return Array.isArray(ports) ? (ports as readonly Json[]).map(String) : [];
  }

  get made(): number {
    const { made } = this.#data;
    return typeof made === 'number' ? made : 0;
  }

  get steps(): readonly JsonObject[] {
    return asObjects(this.#data['steps']);
  }

  async change(changes: Partial<ServerData>): Promise<void> {
    this.#data = { ...this.#data, ...changes };
    await this.scope.keep(this.#data);
  }
}
