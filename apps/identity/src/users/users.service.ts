import { Inject, Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { conflict } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { PageOfRows } from '@cumulet/common/tables/table';
import type { ListProjectsOfUserQuery, Project } from '../projects/project.resource.js';
import { projects } from '../projects/project.repository.js';
import { LoginAttempts } from './passwords/login-attempts.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import {
  checkForm,
  formersKept,
  lifetimeOf,
  type PasswordRules,
} from './passwords/password-rules.js';
import { PasswordRepository } from './passwords/password.repository.js';
import { ResourceService } from '../resource/resource.service.js';
import { RevocationsService } from '../revocations/revocations.service.js';
import type { User, UserDto } from './user.resource.js';
import { users } from './user.repository.js';

/** Keeps the last administrator from locking everybody out. */
class OwnUserError extends conflict(
  (id: string, what: 'delete' | 'disable') =>
    `The user ${id} cannot ${what} itself: another administrator must do it.`,
) {}

/**
 * Always holds: deleting or disabling a user, or changing its password, revokes its tokens. Public
 * source: Keystone API reference, "Users".
 */
@Injectable()
export class UsersService extends ResourceService<User, UserDto> {
  protected readonly table = users;

  constructor(
    @Inject(CONFIG) private readonly rules: PasswordRules,
    private readonly passwords: PasswordRepository,
    private readonly hasher: PasswordHasher,
    private readonly attempts: LoginAttempts,
    private readonly revocations: RevocationsService,
  ) {
    super();
  }

  /** A page of the projects on which a user has a role. @throws NotFoundError, MarkerNotFoundError */
  async listProjects(
    ctx: RequestContext,
    id: string,
    query: ListProjectsOfUserQuery,
  ): Promise<PageOfRows<Project>> {
    await users.get(ctx, id);
    return projects.page(ctx, query, [projects.ofUser(id)]);
  }

  /**
   * @throws DuplicateNameError, NotFoundError for the domain
   * @throws InvalidInputError for the password, and for the default project
   */
  override async create(ctx: RequestContext, dto: UserDto): Promise<User> {
    const hash = await this.#hash(dto.password);
    return inTransaction(ctx, async (tx) =>
      this.#withPassword(tx, await super.create(tx, dto), hash),
    );
  }

  /**
   * @throws NotFoundError, OtherIdError, FixedPropertyError, OwnUserError, DuplicateNameError
   * @throws InvalidInputError for an empty change, for the password, and for the default project
   */
  override async update(ctx: RequestContext, id: string, dto: Partial<UserDto>): Promise<User> {
    if (dto.enabled === false && id === ctx.userId) throw new OwnUserError(id, 'disable');
    const hash = await this.#hash(dto.password);
    const apply = async (tx: RequestContext): Promise<User> => {
      const after = await super.update(tx, id, dto);
      // As in Keystone, any change by an administrator ends a lock-out.
      if (after.enabled) await this.attempts.forget(tx, id);
      return this.#withPassword(tx, after, hash);
    };
    if (dto.enabled !== false && hash === undefined) return inTransaction(ctx, apply);
    return this.revocations.change(ctx, async (tx) => {
      const after = await apply(tx);
      await this.revocations.revoke(tx, { userId: after.id });
      return after;
    });
  }

  /** @throws NotFoundError, OwnUserError */
  override async delete(ctx: RequestContext, id: string): Promise<void> {
    if (id === ctx.userId) throw new OwnUserError(id, 'delete');
    await this.revocations.change(ctx, async (tx) => {
      await users.delete(tx, id);
      await this.revocations.revoke(tx, { userId: asId(id) });
    });
  }

  /** Called before the transaction, for which every login waits. */
  async #hash(password: string | null | undefined): Promise<string | null | undefined> {
    if (password === undefined) return undefined;
    checkForm(this.rules, password);
    return password === null ? null : this.hasher.hash(password);
  }

  /** @param hash undefined if the password stays as it is */
  async #withPassword(
    tx: RequestContext,
    user: User,
    hash: string | null | undefined,
  ): Promise<User> {
    if (hash === undefined) return user;
    const lifetime = lifetimeOf(this.rules, user.options, 'administrator');
    const next = { hash, isSelfSet: false, lifetime };
    await this.passwords.replace(tx, user.id, next, formersKept(this.rules));
    return users.get(tx, user.id);
  }
}
