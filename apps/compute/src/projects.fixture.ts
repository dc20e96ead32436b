import { newId } from '@cumulet/testing/test-tokens';
import type { Projects } from './projects.port.js';

/** Fake projects of identity: those that the test adds. */
export class FakeProjects implements Projects {
  readonly #ids = new Set<string>();

  /** @returns the id of a project that exists */
  add(id: string = newId()): string {
    this.#ids.add(id);
    return id;
  }

  exists(_actor: unknown, id: string): Promise<boolean> {
    return Promise.resolve(this.#ids.has(id));
  }
}
