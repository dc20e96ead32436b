/** Whoever has root on a master controls the API's answers, so time and size are limited. */
import { Agent, request } from 'undici';
import type { ApiAccess } from '../cluster-engine.js';

/** A limit on connecting: other clusters wait for their turn. */
const CONNECT_MS = 5_000;
/** Four times a page of nodes. */
const MAX_BYTES = 2 * 1024 * 1024;

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export class KubernetesApi {
  readonly #agent: Agent;

  /** @param signal aborts requests, also half-read ones */
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

  /** @throws undici's errors, or the signal's reason */
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
