/**
 * Users whose passwords come from settings.
 *
 * Always holds: a start whose settings have not changed runs no argon2; a password that its user
 * has changed stays until the setting changes too.
 */
import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { DomainId, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { IdentityConfig } from '../config.js';
import { newId } from '../database/new-id.js';
import { PasswordHasher } from '../users/passwords/password-hasher.js';
import { formersKept, lifetimeOf } from '../users/passwords/password-rules.js';
import { PasswordRepository, type NewPassword } from '../users/passwords/password.repository.js';
import { lockForRevocation } from '../revocations/issuance-lock.js';
import { revocationEvents } from '../revocations/revocation.repository.js';
import { users, type SettingUser } from '../users/user.repository.js';
import type { SeedUser } from './seed.js';

/** A user as its setting describes it. */
interface WantedUser {
  readonly seed: SeedUser;
  readonly id: UserId;
  readonly found: SettingUser | undefined;
  readonly digest: string;
  /** Undefined if it has the password already. */
  readonly password: NewPassword | undefined;
}

@Injectable()
export class SeedPasswords {
  constructor(
    private readonly hasher: PasswordHasher,
    @Inject(CONFIG) private readonly config: IdentityConfig,
    private readonly passwords: PasswordRepository,
  ) {}

  /** @returns the ids by name */
  async ensure(
    ctx: RequestContext,
    domainId: DomainId,
    seeds: readonly SeedUser[],
  ): Promise<Map<string, UserId>> {
    const names = seeds.map(({ name }) => name);
    const found = await users.listOfSettings(ctx, domainId, names);
    const known = new Map(found.map((user) => [user.name, user]));
    // Hashing uses all available cores; the rows then share the one connection in turn.
    const wanted = await Promise.all(seeds.map((seed) => this.#wanted(seed, known.get(seed.name))));
    for (const user of wanted) await this.#save(ctx, domainId, user);
    return new Map(wanted.map(({ seed, id }) => [seed.name, id]));
  }

  async #wanted(seed: SeedUser, found: SettingUser | undefined): Promise<WantedUser> {
    const id = found?.id ?? newId<UserId>();
    const digest = this.#digest(id, seed.password);
    const has =
      found &&
      (found.settingDigest === digest ||
        (await this.hasher.verify(found.passwordHash, seed.password)));
    const password = has ? undefined : await this.#password(seed, found);
    return { seed, id, found, digest, password };
  }

  async #password(seed: SeedUser, found: SettingUser | undefined): Promise<NewPassword> {
    const options = found?.options ?? seed.options;
    return {
      hash: await this.hasher.hash(seed.password),
      isSelfSet: false,
      lifetime: lifetimeOf(this.config, options, 'setting'),
    };
  }

  /** Writes nothing if nothing has changed. */
  async #save(
    ctx: RequestContext,
    domainId: DomainId,
    { seed, id, found, digest, password }: WantedUser,
  ): Promise<void> {
    if (found?.settingDigest === digest) return;
    const { name, description, options } = seed;
    if (!found) await users.insert(ctx, { id, domainId, name, description, options });
    if (password) await this.passwords.replace(ctx, id, password, formersKept(this.config));
    if (found && password) await this.#revoke(ctx, id);
    await users.update(ctx, id, { settingDigest: digest });
  }

  /** As after any change of password: whoever logged in with the old one must log in again. */
  async #revoke(ctx: RequestContext, userId: UserId): Promise<void> {
    await lockForRevocation(ctx);
    await revocationEvents.insert(ctx, [{ userId }]);
  }

  /** The key keeps readers of the rows from guessing it. */
  #digest(userId: UserId, password: string): string {
    return createHmac('sha256', Buffer.from(this.config.secretKey, 'hex'))
      .update(`cumulet:setting:${userId}\0${password}`)
      .digest('base64');
  }
}
