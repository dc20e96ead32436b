/**
 * Users whose passwords come from settings.
 *
 * Always holds: a start whose settings have not changed runs no argon2; a password that its user
 * has changed since stays, until the setting changes too.
 */
import { createHmac } from 'node:crypto';
import type { DomainId, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { newId } from '../database/new-id.js';
import type { PasswordHasher } from '../passwords/password-hasher.js';
import { UserRepository, type PasswordUser } from '../users/user.repository.js';
import type { SeedUser } from './seed.js';

export class SeedPasswords {
  readonly #users = new UserRepository();

  /** @param secretKey keeps digests of settings from being guessed by whoever reads the rows */
  constructor(
    private readonly passwords: PasswordHasher,
    private readonly secretKey: string,
  ) {}

  /** @returns the ids by name */
  async ensure(
    ctx: RequestContext,
    domainId: DomainId,
    seeds: readonly SeedUser[],
  ): Promise<Map<string, UserId>> {
    const names = seeds.map(({ name }) => name);
    const found = await this.#users.listWithPasswords(ctx, domainId, names);
    const known = new Map(found.map((user) => [user.name, user]));
    // Hashing takes all cores that it gets; the rows then go through the one connection in turn.
    const users = await Promise.all(seeds.map((seed) => this.#user(seed, known.get(seed.name))));
    for (const user of users) {
      if (user !== known.get(user.name)) await this.#users.savePassword(ctx, domainId, user);
    }
    return new Map(users.map(({ id, name }) => [name, id]));
  }

  /** The user as it should be; the very row that was found where nothing is to be written. */
  async #user(seed: SeedUser, found: PasswordUser | undefined): Promise<PasswordUser> {
    const id = found?.id ?? newId<UserId>();
    const settingDigest = this.#digest(id, seed.password);
    if (found?.settingDigest === settingDigest) return found;
    const same = found && (await this.passwords.verify(found.passwordHash, seed.password));
    const passwordHash = same ? found.passwordHash : await this.passwords.hash(seed.password);
    return { id, name: seed.name, description: seed.description, passwordHash, settingDigest };
  }

  #digest(userId: UserId, password: string): string {
    return createHmac('sha256', Buffer.from(this.secretKey, 'hex'))
      .update(`cumulet:setting:${userId}\0${password}`)
      .digest('base64');
  }
}
