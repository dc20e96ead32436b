/** A type whose resources are entries of a map, which counts the requests. */
import type { ResourceType } from '../resource-types/resource-type.js';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { Json, JsonObject } from '../json/json.js';

export interface Thing {
  readonly key: string;
  value: Json;
  isSuspended: boolean;
  /** Exclusive to one thing at a time. */
  port: string | null;
}

export class RefusedError extends DomainError {
  constructor(message: string) {
    super('conflict', message);
  }
}

export class TestThings {
  /** By physical ID. */
  readonly things = new Map<string, Thing>();
  /** The number of creations, by key. */
  readonly creations = new Map<string, number>();
  /** In order: `create a`, `remove a`. */
  readonly log: string[] = [];
  /** Errors by step, such as `create a`; a number is the count. */
  readonly failures = new Map<string, Error>();
  /** Names whose creation never completes. */
  readonly stuck = new Set<string>();
  before: (step: string) => Promise<void> | void = () => undefined;
  after: (step: string) => Promise<void> | void = () => undefined;

  clear(): void {
    for (const one of [this.things, this.creations, this.failures, this.stuck]) one.clear();
    this.log.length = 0;
  }

  readonly type: ResourceType = {
    name: 'Test::Thing',
    description: 'A thing of a test.',
    properties: {
      value: { type: 'any', description: 'What it holds.', updatable: true },
      fixed: { type: 'any', description: 'The description.' },
      port: { type: 'any', description: 'What it alone holds.' },
    },
    attributes: { value: { description: 'What it holds.' }, id: { description: 'The ID.' } },
    create: async (scope) =>
      this.#step(`create ${scope.row.name}`, () => {
        const key = scope.key();
        this.creations.set(key, (this.creations.get(key) ?? 0) + 1);
        const physicalId = `thing-${key}`;
        if (!this.things.has(physicalId)) {
          const value = scope.properties['value'] ?? null;
          const port = this.#free(scope.properties['port'] ?? null);
          this.things.set(physicalId, { key, value, isSuspended: false, port });
        }
        return { physicalId };
      }),
    isCreated: async ({ row }) => {
      await this.before(`look at ${row.name}`);
      const failure = this.failures.get(`look at ${row.name}`);
      if (failure) throw failure;
      return !this.stuck.has(row.name);
    },
    update: async ({ row, properties }) =>
      this.#step(`update ${row.name}`, () => {
        const thing = this.things.get(row.physicalId);
        if (thing) thing.value = properties['value'] ?? null;
        return {};
      }),
    remove: async ({ row }) =>
      this.#step(`remove ${row.name}`, () => void this.things.delete(row.physicalId)),
    read: async ({ row }) => {
      await this.before(`read ${row.name}`);
      const thing = this.things.get(row.physicalId);
      return thing && { value: thing.value };
    },
    drifted: async ({ row, properties }) => {
      const thing = this.things.get(row.physicalId);
      if (!thing) return undefined;
      return Promise.resolve(thing.value === properties['value'] ? {} : { value: thing.value });
    },
    attributesOf: async ({ row }, names) => {
      const thing = this.things.get(row.physicalId);
      const all: JsonObject = { value: thing?.value ?? null, id: row.physicalId };
      return Promise.resolve(Object.fromEntries(names.map((name) => [name, all[name] ?? null])));
    },
    suspend: async ({ row }) =>
      this.#step(`suspend ${row.name}`, () => this.#set(row.physicalId, true)),
    resume: async ({ row }) =>
      this.#step(`resume ${row.name}`, () => this.#set(row.physicalId, false)),
    snapshot: async ({ row }) =>
      this.#step(`snapshot ${row.name}`, () => ({
        value: this.things.get(row.physicalId)?.value ?? null,
      })),
    removeSnapshot: async (_, data) =>
      this.#step(`remove snapshot ${JSON.stringify(data['value'])}`, () => undefined),
    restored: (properties, data) => ({ ...properties, value: data['value'] ?? null }),
    prepareForReplacement: async ({ row, properties }) => {
      if (typeof properties['port'] !== 'string') return;
      await this.#step(`make way ${row.name}`, () => this.#hold(row.physicalId, null));
    },
    restoreReplaced: async ({ row, properties: { port = null } }) => {
      if (typeof port !== 'string') return;
      await this.#step(`come back ${row.name}`, () => this.#hold(row.physicalId, port));
    },
    signal: async (_, details) => Promise.resolve({ reason: `Signal: ${JSON.stringify(details)}` }),
  };

  async #step<T>(step: string, work: () => T): Promise<T> {
    await this.before(step);
    const failure = this.failures.get(step);
    if (failure) throw failure;
    const result = work();
    this.log.push(step);
    await this.after(step);
    return result;
  }

  #hold(physicalId: string, port: string | null): void {
    const thing = this.things.get(physicalId);
    if (thing && thing.port !== port) thing.port = this.#free(port);
  }

  /** @throws RefusedError if another holds it */
  #free(port: Json): string | null {
    if (typeof port !== 'string') return null;
    if ([...this.things.values()].some((one) => one.port === port))
      throw new RefusedError(`Port ${port} is in use.`);
    return port;
  }

  #set(physicalId: string, isSuspended: boolean): void {
    const thing = this.things.get(physicalId);
    if (thing) thing.isSuspended = isSuspended;
  }
}
