import { Inject, Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { CONFIG } from '@cumulet/common/service/tokens';
import { newId } from '../database/new-id.js';
import { refuseOtherId } from '../http/other-id.js';
import { pageStart, type PageQuery } from '../http/page.js';
import { refuseEmpty } from '../http/refuse-empty.js';
import { FixedPropertyError } from '../http/resource-errors.js';
import { LoginFailureRepository } from '../passwords/login-failure.repository.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import {
  checkForm,
  formersKept,
  lifetimeOf,
  type PasswordRules,
} from '../passwords/password-rules.js';
import { PasswordRepository } from '../passwords/password.repository.js';
import { scopeDomainOf } from '../policy/personas.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import { changedUser, newUser, type NewUser, type UserUpdate } from './user-change.js';
import type { User } from './user.entity.js';
import { OwnUserError, UserNotFoundError } from './user.errors.js';
import { UserRepository, type UserFilter, type UserProfile } from './user.repository.js';

/**
 * What administrators do with users. Public source: Keystone API reference, "Users".
 *
 * Always holds: a user that is deleted or disabled, or whose password is another, has no token that
 * is of before.
 */
@Injectable()
export class UsersService {
  constructor(
    @Inject(CONFIG) private readonly rules: PasswordRules,
    private readonly users: UserRepository,
    private readonly passwords: PasswordRepository,
    private readonly hasher: PasswordHasher,
    private readonly failures: LoginFailureRepository,
    private readonly revocations: RevocationsService,
  ) {}

  /**
   * A page of the users that the caller may see.
   * @throws MarkerNotFoundError
   */
  async list(
    ctx: RequestContext,
    filter: Omit<UserFilter, 'within'>,
    page: PageQuery,
  ): Promise<User[]> {
    const within = scopeDomainOf(ctx);
    const start = await pageStart(page, async (marker) => {
      const user = await this.users.find(ctx, marker);
      return within === undefined || user?.domainId === within ? user : undefined;
    });
    return this.users.list(ctx, { ...filter, within }, start);
  }

  /** @throws UserNotFoundError */
  async get(ctx: RequestContext, id: string): Promise<User> {
    const user = await this.users.find(ctx, id);
    if (!user) throw new UserNotFoundError(id);
    return user;
  }

  /**
   * @throws PasswordRequirementsError, DuplicateNameError, DomainNotFoundError,
   *   DefaultProjectNotFoundError
   */
  async create(ctx: RequestContext, { domainId, ...wanted }: NewUser): Promise<User> {
    const hash = await this.#hash(wanted.password);
    const user = newUser({ id: newId(), domainId: asId(domainId) }, wanted);
    return inTransaction(ctx, async (tx) => {
      await this.users.insert(tx, user);
      await this.#setPassword(tx, user, hash);
      return this.get(tx, user.id);
    });
  }

  /**
   * @throws InvalidInputError for a change of nothing
   * @throws UserNotFoundError, OtherIdError, FixedPropertyError, OwnUserError,
   *   PasswordRequirementsError, DuplicateNameError, DefaultProjectNotFoundError
   */
  async update(ctx: RequestContext, id: string, change: UserUpdate): Promise<User> {
    refuseOtherId('user', id, change.id);
    refuseEmpty('user', change);
    if (change.enabled === false && id === ctx.userId) throw new OwnUserError(id, 'disable');
    const hash = await this.#hash(change.password);
    const apply = async (tx: RequestContext): Promise<User> => {
      const before = await this.users.lock(tx, id);
      if (!before) throw new UserNotFoundError(id);
      if (change.domainId !== undefined && change.domainId !== before.domainId)
        throw new FixedPropertyError('user.domain_id');
      const after = changedUser(before, change);
      await this.users.update(tx, after);
      await this.#setPassword(tx, after, hash);
      // As Keystone has it, whatever the administrator changes of a user lets it log in again.
      if (after.enabled) await this.failures.forget(tx, id);
      return this.get(tx, id);
    };
    if (change.enabled !== false && hash === undefined) return inTransaction(ctx, apply);
    return this.revocations.change(ctx, async (tx) => {
      const after = await apply(tx);
      await this.revocations.revoke(tx, { userId: after.id });
      return after;
    });
  }

  /** @throws UserNotFoundError, OwnUserError */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    if (id === ctx.userId) throw new OwnUserError(id, 'delete');
    await this.revocations.change(ctx, async (tx) => {
      if (!(await this.users.delete(tx, id))) throw new UserNotFoundError(id);
      await this.revocations.revoke(tx, { userId: asId(id) });
    });
  }

  /** Hashed before the transaction: every login may have to wait for that one. */
  async #hash(password: string | null | undefined): Promise<string | null | undefined> {
    if (password === undefined) return undefined;
    checkForm(this.rules, password);
    return password === null ? null : this.hasher.hash(password);
  }

  async #setPassword(
    tx: RequestContext,
    { id, options }: UserProfile,
    hash: string | null | undefined,
  ): Promise<void> {
    if (hash === undefined) return;
    const lifetime = lifetimeOf(this.rules, options, 'administrator');
    const next = { hash, isSelfSet: false, lifetime };
    await this.passwords.replace(tx, id, next, formersKept(this.rules));
  }
}
