/**
 * Access keys for a service that checks signatures by itself, from identity.
 *
 * Always holds: a key that is asked for often makes no call, and is refused as soon as a revocation
 * event that matches it has been read, like a token. An answer is remembered for five minutes at
 * the most, and never beyond the time for which such events are kept. That there is no such key is
 * remembered for two seconds. One call for one key at a time, however many ask. No error and no log
 * holds a secret.
 */
import type { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { LRUCache } from 'lru-cache';
import { ServiceClient } from '../http/service-client.js';
import { readAccessKey, revocableOf, type AccessKey } from './access-key.js';
import { withToken, type TokenSource } from './with-token.js';

export interface AccessKeySourceOptions {
  /** Identity's address, without /v3. */
  readonly identityUrl: string;
  /** The service's own token: secrets are for services alone. */
  readonly tokens: TokenSource;
  readonly verifier: Pick<TokenVerifier, 'isRevoked'>;
  /** How many keys are remembered, and how many that are none; 10,000 where absent. */
  readonly remembered?: number;
}

type Caller = Pick<RequestContext, 'requestId' | 'globalRequestId'>;

/** A key as it was read. */
interface Found {
  readonly key: AccessKey;
  /** By the monotonic clock, which no change of the time of day moves. */
  readonly goodUntil: number;
}

const REMEMBERED = 10_000;
const MAX_LIFETIME = 300_000;
const UNKNOWN_LIFE = 2_000;
/** What identity accepts as one. */
const ACCESS = /^[\x21-\x7e]{1,255}$/;

export class AccessKeySource {
  readonly #client: ServiceClient;
  readonly #found: LRUCache<string, Found>;
  /** Apart from the others, so that a flood of bad keys pushes out no good one. */
  readonly #unknownUntil: LRUCache<string, number>;
  readonly #asking = new Map<string, Promise<AccessKey | undefined>>();

  constructor(private readonly options: AccessKeySourceOptions) {
    const { remembered: max = REMEMBERED } = options;
    this.#found = new LRUCache({ max });
    this.#unknownUntil = new LRUCache({ max });
    this.#client = new ServiceClient({
      service: 'identity',
      baseUrl: options.identityUrl,
      connections: 4,
      responseTimeout: 5_000,
    });
  }

  /**
   * @param ctx the request on whose behalf, where there is one
   * @returns undefined where there is no such key, or nothing that it is good for
   * @throws ServiceUnavailableError when identity is away and the key is not remembered
   * @throws UnavailableError while revocation events could not be read yet
   */
  async find(ctx: Caller | undefined, access: string): Promise<AccessKey | undefined> {
    if (!ACCESS.test(access)) return undefined;
    const now = performance.now();
    const found = this.#found.get(access);
    if (found && now < found.goodUntil && !(await this.#isRevoked(found.key))) return found.key;
    if (now < (this.#unknownUntil.get(access) ?? 0)) return undefined;
    const key = await this.#current(ctx, access);
    if (!key || !(await this.#isRevoked(key))) return key;
    // It was read just before a revocation of which this process has heard meanwhile.
    const later = await this.#current(ctx, access);
    return later && !(await this.#isRevoked(later)) ? later : undefined;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  #current(ctx: Caller | undefined, access: string): Promise<AccessKey | undefined> {
    const asked =
      this.#asking.get(access) ?? this.#ask(ctx, access).finally(() => this.#asking.delete(access));
    this.#asking.set(access, asked);
    return asked;
  }

  async #ask(ctx: Caller | undefined, access: string): Promise<AccessKey | undefined> {
    const { tokens } = this.options;
    const path = `/v3/OS-EC2/access-keys/${encodeURIComponent(access)}`;
    // Counted from before the answer was made.
    const askedAt = performance.now();
    this.#found.delete(access);
    const answer = await withToken(tokens, (token) => this.#client.find({ path, token, ctx }));
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
