/**
 * A cluster's API, as it is asked how the cluster is. Whoever has a master's root answers here as they
 * like, for as long as they like: time and size are limited, whatever comes.
 */
import { Agent, request } from 'undici';
import type { ApiAccess } from '../cluster-engine.js';

/** Of the way to it: one that is not there says nothing, and others wait for their turn. */
const CONNECT_MS = 5_000;
/** A page of nodes is a quarter of it. */
const MAX_BYTES = 2 * 1024 * 1024;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export class KubernetesApi {
  readonly #agent: Agent;

  /** @param signal ends all that is asked, also what is half answered */
  constructor(
    private readonly access: ApiAccess,
    private readonly signal: AbortSignal,
  ) {
    const { caPem: ca, client } = access;
    const { certificatePem: cert, privateKeyPem: key } = client;
    this.#agent = new Agent({
      connect: { ca, cert, key, timeout: CONNECT_MS },
      maxResponseSize: MAX_BYTES,
    });
  }

  /** @throws what undici does, or the signal's reason */
  async get(path: string): Promise<Answer> {
    const { statusCode, body } = await request(`${this.access.server}${path}`, {
      dispatcher: this.#agent,
      signal: this.signal,
    });
    return { status: statusCode, text: await body.text() };
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
