/**
 * Users by which what a service runs for others, such as a cluster, acts with their trusts. Public
 * source: Keystone API reference, "Users".
 *
 * Always holds: they have no role of their own, and are in a domain of the service, in which it may
 * create and delete users only.
 */
import { asServiceOf, type Actor, type Origin } from '../http/actor.js';
import type { IdentityClientOptions } from '../http/credentials.js';
import { SisterClient } from '../http/service-client.js';

export interface TrusteesClientOptions extends IdentityClientOptions {
  /** The domain of the service that identity's bootstrap makes: `cluster-trustees`. */
  readonly domainId: string;
}

export interface NewTrustee {
  /** Unique in the domain. */
  readonly name: string;
  readonly password: string;
  readonly description: string;
}

interface WireUser {
  readonly id: string;
}

const USERS = '/v3/users';

/** The password never expires. */
const OPTIONS = {
  ignore_password_expiry: true,
  ignore_change_password_upon_first_use: true,
  lock_password: true,
};

export class TrusteesClient extends SisterClient {
  constructor(private readonly options: TrusteesClientOptions) {
    const { identityUrl: baseUrl, credentials } = options;
    super({ service: 'identity', baseUrl, credentials, connections: 2 });
  }

  /**
   * @param idempotencyKey as in `CreateRequest`: the same key gets the same user
   * @returns the ID of the user
   * @throws ServiceRefusedError 409 if the name is taken
   * @throws ServiceUnavailableError when identity is unreachable
   */
  async create(origin: Origin, trustee: NewTrustee, idempotencyKey: string): Promise<string> {
    const { domainId } = this.options;
    const json = { user: { ...trustee, domain_id: domainId, options: OPTIONS } };
    const actor = this.#actor(origin);
    const { body } = await this.client.create({ actor, path: USERS, json, idempotencyKey });
    return (body as { user: WireUser }).user.id;
  }

  /** The ID of the user; undefined without one. */
  async find(origin: Origin, name: string): Promise<string | undefined> {
    const query = { name, domain_id: this.options.domainId };
    const { body } = await this.client.send({ actor: this.#actor(origin), path: USERS, query });
    return (body as { users: readonly WireUser[] }).users[0]?.id;
  }

  /** Also ends the trusts that it was given. An absent one is not an error. */
  async delete(origin: Origin, id: string): Promise<void> {
    const path = `${USERS}/${encodeURIComponent(id)}`;
    await this.client.find({ actor: this.#actor(origin), method: 'DELETE', path });
  }

  #actor(origin: Origin): Actor {
    return asServiceOf(this.options.domainId, origin);
  }
}
