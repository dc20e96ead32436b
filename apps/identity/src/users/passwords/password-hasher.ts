/**
 * Passwords as argon2id hashes.
 *
 * Always holds: a verification costs exactly one run of argon2, whether or not there is a hash to
 * verify against, so its duration does not tell who exists.
 */
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { IdentityConfig } from '../../config.js';
import { HashQueue } from './hash-queue.js';

/** The longest password that is hashed, in characters. */
export const MAX_PASSWORD_LENGTH = 4_096;

/** KiB of memory that one run takes, and passes over it. */
type PasswordCost = Pick<IdentityConfig, 'passwordMemory' | 'passwordPasses'>;

@Injectable()
export class PasswordHasher {
  readonly #decoy: string;
  readonly #queue = new HashQueue();

  constructor(@Inject(CONFIG) private readonly cost: PasswordCost) {
    this.#decoy = decoyOf(cost);
  }

  /** @returns the hash in PHC form, with its cost and salt in it */
  hash(password: string): Promise<string> {
    const { passwordMemory: memoryCost, passwordPasses: timeCost } = this.cost;
    return this.#queue.run('', () => hash(password, { memoryCost, timeCost, parallelism: 1 }));
  }

  /**
   * @param hashed null or undefined for a user that does not exist or has no password
   * @param from the address of the attempt: addresses take turns
   * @throws TooManyLoginsError
   */
  async verify(hashed: string | null | undefined, password: string, from = ''): Promise<boolean> {
    const matches = await this.#queue.run(from, () => this.run(hashed ?? this.#decoy, password));
    return matches && typeof hashed === 'string';
  }

  /** One run of argon2; protected so that a test can count them. */
  protected run(hashed: string, password: string): Promise<boolean> {
    return verify(hashed, password);
  }
}

/** A hash of the same cost that no password matches: salt and digest are random. */
function decoyOf({ passwordMemory, passwordPasses }: PasswordCost): string {
  const part = (bytes: number): string => randomBytes(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${passwordMemory},t=${passwordPasses},p=1$${part(16)}$${part(32)}`;
}
