/**
 * Users that a service keeps so that what it runs for others, such as a cluster, can act by their trusts.
 * Public source: Keystone API reference, "Users".
 *
 * Always holds: they have no role of their own, and are of a domain of the service's alone, in which it may
 * make and remove users and do nothing else.
 */
import { asServiceOf, type Actor, type Origin } from '../http/actor.js';
import type { IdentityClientOptions } from '../http/credentials.js';
import { SisterClient } from '../http/service-client.js';

export interface TrusteesClientOptions extends IdentityClientOptions {
  /** The service's, as identity's bootstrap makes it: `cluster-trustees`. */
  readonly domainId: string;
}

export interface NewTrustee {
  /** Unique among those of the service. */
  readonly name: string;
  readonly password: string;
  /** For people who find it in identity. */
  readonly description: string;
}

interface WireUser {
  readonly id: string;
}

const USERS = '/v3/users';

/** The password never has to be renewed or changed. */
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
   * Makes a user, once for each key: the same key again gets the same user.
   * @param idempotencyKey follows from the row that needs the user, as in `CreateRequest`
   * @returns the user's id
   * @throws ServiceRefusedError 409 where the name is taken
   * @throws ServiceUnavailableError when identity is unreachable
   */
  async create(origin: Origin, trustee: NewTrustee, idempotencyKey: string): Promise<string> {
    const { domainId } = this.options;
    const json = { user: { ...trustee, domain_id: domainId, options: OPTIONS } };
    const actor = this.#actor(origin);
    const { body } = await this.client.create({ actor, path: USERS, json, idempotencyKey });
    return (body as { user: WireUser }).user.id;
  }

  /** The id of the user of this name; undefined without one. */
  async find(origin: Origin, name: string): Promise<string | undefined> {
    const query = { name, domain_id: this.options.domainId };
    const { body } = await this.client.send({ actor: this.#actor(origin), path: USERS, query });
    return (body as { users: readonly WireUser[] }).users[0]?.id;
  }

  /** The trusts that it was given end with it, at once. An absent one is not an error. */
  async delete(origin: Origin, id: string): Promise<void> {
    const path = `${USERS}/${encodeURIComponent(id)}`;
    await this.client.find({ actor: this.#actor(origin), method: 'DELETE', path });
  }

  #actor(origin: Origin): Actor {
    return asServiceOf(this.options.domainId, origin);
  }
}
