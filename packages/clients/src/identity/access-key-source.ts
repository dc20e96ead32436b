/**
 * Access keys from identity, for a service that checks signatures itself.
 *
 * Always holds: frequent requests for a key cause no calls, and the key is refused, like a token,
 * as soon as a matching revocation event has been read. An answer is cached for at most five
 * minutes, and never longer than such events are kept; that a key does not exist, for two seconds.
 * Concurrent requests for one key share one call. No error and no log holds a secret.
 */
import type { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { LRUCache } from 'lru-cache';
import { asService, type Origin } from '../http/actor.js';
import type { IdentityClientOptions } from '../http/credentials.js';
import { ServiceClient } from '../http/service-client.js';
import { readAccessKey, revocableOf, type AccessKey } from './access-key.js';

/** The credentials are the service's: only services may read secrets. */
export interface AccessKeySourceOptions extends IdentityClientOptions {
  readonly verifier: Pick<TokenVerifier, 'isRevoked'>;
  /** How many keys are cached, and how many unknown ones; 10,000 by default. */
  readonly remembered?: number;
}

interface Found {
  readonly key: AccessKey;
  /** By the monotonic clock, which changes of the time of day do not affect. */
  readonly goodUntil: number;
}

const REMEMBERED = 10_000;
const MAX_LIFETIME = 300_000;
const UNKNOWN_LIFE = 2_000;
/** The form of access keys. */
const ACCESS = /^[\x21-\x7e]{1,255}$/;

export class AccessKeySource {
  readonly #client: ServiceClient;
  readonly #found: LRUCache<string, Found>;
  /** Separate, so that a flood of bad keys evicts no good one. */
  readonly #unknownUntil: LRUCache<string, number>;
  readonly #asking = new Map<string, Promise<AccessKey | undefined>>();

  constructor(private readonly options: AccessKeySourceOptions) {
    const { identityUrl: baseUrl, credentials, remembered: max = REMEMBERED } = options;
    this.#found = new LRUCache({ max });
    this.#unknownUntil = new LRUCache({ max });
    this.#client = new ServiceClient({
      service: 'identity',
      baseUrl,
      credentials,
      connections: 4,
      responseTimeout: 5_000,
    });
  }

  /**
   * @param origin the request on whose behalf, if any
   * @returns undefined if the key does not exist, or gives no rights
   * @throws ServiceUnavailableError when identity is unreachable and the key is not cached
   * @throws UnavailableError while revocation events have not been read yet
   */
  async find(origin: Origin | undefined, access: string): Promise<AccessKey | undefined> {
    if (!ACCESS.test(access)) return undefined;
    const now = performance.now();
    const found = this.#found.get(access);
    if (found && now < found.goodUntil && !(await this.#isRevoked(found.key))) return found.key;
    if (now < (this.#unknownUntil.get(access) ?? 0)) return undefined;
    const key = await this.#current(origin, access);
    if (!key || !(await this.#isRevoked(key))) return key;
    // The key was read before a revocation that this process has read since.
    const later = await this.#current(origin, access);
    return later && !(await this.#isRevoked(later)) ? later : undefined;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  #current(origin: Origin | undefined, access: string): Promise<AccessKey | undefined> {
    const asked =
      this.#asking.get(access) ??
      this.#ask(origin, access).finally(() => this.#asking.delete(access));
    this.#asking.set(access, asked);
    return asked;
  }

  async #ask(origin: Origin | undefined, access: string): Promise<AccessKey | undefined> {
    const path = `/v3/OS-EC2/access-keys/${encodeURIComponent(access)}`;
    // Counted from before the answer.
    const askedAt = performance.now();
    this.#found.delete(access);
    const answer = await this.#client.find({ actor: asService(origin), path });
    if (!answer) {
      this.#unknownUntil.set(access, performance.now() + UNKNOWN_LIFE);
      return undefined;
    }
    const { key, lifetime } = readAccessKey(answer.body);
    this.#found.set(access, { key, goodUntil: askedAt + Math.min(lifetime, MAX_LIFETIME) });
    return key;
  }

  #isRevoked(key: AccessKey): Promise<boolean> {
    return this.options.verifier.isRevoked(revocableOf(key));
  }
}
