/** A compute service that records the events it gets. */
import type { ServerEvent } from '@cumulet/clients/compute/compute-client';
import type { Actor } from '@cumulet/clients/http/actor';
import {
  ServiceRefusedError,
  ServiceUnavailableError,
} from '@cumulet/clients/http/service-client-errors';
import type { Compute } from '../compute.port.js';

export class FakeCompute implements Compute {
  /** The events of each request. */
  readonly requests: (readonly ServerEvent[])[] = [];
  readonly actors: Actor[] = [];
  /** The number of requests that will fail from now on. */
  unanswered = 0;
  /** The number of requests that have failed. */
  failures = 0;
  isRefusing = false;
  /** The status code of each event. */
  code = 200;
  #held: Promise<void> | undefined;

  /** Requests are not answered until the returned function is called. */
  hold(): () => void {
    let release = (): void => undefined;
    this.#held = new Promise((resolve) => (release = resolve));
    return release;
  }

  async sendEvents(actor: Actor, events: readonly ServerEvent[]): Promise<readonly number[]> {
    await this.#held;
    if (this.isRefusing) throw new ServiceRefusedError('compute', 403, 'No.');
    if (this.unanswered > 0) {
      this.unanswered -= 1;
      this.failures += 1;
      throw new ServiceUnavailableError('compute', 'gone');
    }
    this.actors.push(actor);
    this.requests.push(
      events.map(({ serverId, name, status, portId }) => {
        return { serverId, name, status, portId };
      }),
    );
    return events.map(() => this.code);
  }

  /** The events of a port in order. */
  of(portId: string): string[] {
    const told = this.requests.flat().filter((one) => one.portId === portId);
    return told.map(({ name, status }) => (status === 'completed' ? name : `${name} ${status}`));
  }
}
