import { Injectable } from '@nestjs/common';
import type { DomainId, ProjectId, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows, selectRow, selectRows } from '@cumulet/common/database/rows';
import { pageClause } from '@cumulet/common/http/paging';
import { ownedBy, type OwnedRef } from '../database/owned-ref.js';
import { DomainNotFoundError } from '../domains/domain.errors.js';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { orRefused } from '../http/or-refused.js';
import { byName, type PageStart } from '../http/page.js';
import { DuplicateNameError } from '../http/resource-errors.js';
import type { PasswordExpiryFilter } from './password-expiry-filter.js';
import { User, type UserOptions } from './user.entity.js';
import { DefaultProjectNotFoundError } from './user.errors.js';

/** What authentication needs to know of a user, with the domain that owns it. */
export interface Account {
  readonly id: UserId;
  readonly name: string;
  readonly domainId: DomainId;
  readonly domainName: string;
  /** Neither the user nor its domain is disabled. */
  readonly enabled: boolean;
  readonly defaultProjectId: ProjectId | null;
  readonly passwordHash: string | null;
  readonly passwordExpiresAt: Date | null;
  readonly options: UserOptions;
}

export interface UserFilter {
  readonly name?: string | undefined;
  readonly domainId?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly passwordExpiry?: readonly PasswordExpiryFilter[];
  readonly inexact?: readonly InexactFilter[];
  /** Only the members of this group. */
  readonly groupId?: string | undefined;
  /** Only what this domain owns: the caller's token is of it. */
  readonly within?: string | undefined;
}

/** A user without what is known of its password. */
export type UserProfile = Pick<
  User,
  'id' | 'domainId' | 'name' | 'description' | 'enabled' | 'defaultProjectId' | 'options' | 'extra'
>;

/** A user that a setting makes. */
export type SettingUser = Pick<User, 'id' | 'name' | 'passwordHash' | 'settingDigest' | 'options'>;

const COLUMNS = { name: 'name', domain_id: 'domain_id' };

@Injectable()
export class UserRepository {
  async findAccount(ctx: RequestContext, ref: OwnedRef): Promise<Account | undefined> {
    const { condition, params } = ownedBy('users', ref, 1);
    const [account] = await preparedRows<Account>(
      ctx.manager,
      `SELECT users.id, users.name, users.enabled AND domains.enabled AS enabled,
              users.password_hash AS "passwordHash", users.default_project_id AS "defaultProjectId",
              users.password_expires_at AS "passwordExpiresAt", users.options,
              domains.id AS "domainId", domains.name AS "domainName"
         FROM users JOIN domains ON domains.id = users.domain_id
        WHERE ${condition}`,
      params,
    );
    return account;
  }

  listOfSettings(
    ctx: RequestContext,
    domainId: string,
    names: readonly string[],
  ): Promise<SettingUser[]> {
    return ctx.manager.query(
      `SELECT id, name, options, password_hash AS "passwordHash",
              setting_digest AS "settingDigest"
         FROM users WHERE domain_id = $1 AND name = ANY($2)`,
      [domainId, names],
    );
  }

  async saveSettingDigest(ctx: RequestContext, id: string, digest: string): Promise<void> {
    await ctx.manager.query('UPDATE users SET setting_digest = $2 WHERE id = $1', [id, digest]);
  }

  /** @returns the names of those that were disabled */
  async enable(ctx: RequestContext, domainId: string, names: readonly string[]): Promise<string[]> {
    const [rows]: [{ name: string }[], number] = await ctx.manager.query(
      `UPDATE users SET enabled = true
        WHERE domain_id = $1 AND name = ANY($2) AND NOT enabled RETURNING name`,
      [domainId, names],
    );
    return rows.map(({ name }) => name);
  }

  find(ctx: RequestContext, id: string): Promise<User | undefined> {
    return selectRow(ctx.manager, User, 'WHERE id = $1', [id]);
  }

  /** The same, and nobody else changes the user before the transaction ends. */
  lock(ctx: RequestContext, id: string): Promise<User | undefined> {
    return selectRow(ctx.manager, User, 'WHERE id = $1 FOR UPDATE', [id]);
  }

  list(ctx: RequestContext, filter: UserFilter, { rows, after }: PageStart): Promise<User[]> {
    const { name, domainId, enabled, within, groupId, passwordExpiry = [] } = filter;
    const params = [name, domainId, enabled, within, groupId];
    const expiry = passwordExpiry.map(
      ({ operator }, at) => `AND password_expires_at ${operator} $${params.length + at + 1}`,
    );
    params.push(...passwordExpiry.map(({ moment }) => moment.toISOString()));
    const inexact = inexactMatch(filter.inexact, COLUMNS, params.length + 1);
    const page = pageClause({ limit: rows, sort: byName('users'), after }, inexact.next);
    return selectRows(
      ctx.manager,
      User,
      `WHERE ($1::text IS NULL OR name = $1) AND ($2::text IS NULL OR domain_id = $2)
         AND ($3::boolean IS NULL OR enabled = $3) AND ($4::text IS NULL OR domain_id = $4)
         AND ($5::text IS NULL OR id IN (SELECT user_id FROM group_members WHERE group_id = $5))
         ${expiry.join(' ')} AND ${inexact.condition} AND ${page.condition} ${page.order}`,
      [...params, ...inexact.params, ...page.params],
    );
  }

  /** @throws DuplicateNameError, DomainNotFoundError, DefaultProjectNotFoundError */
  async insert(ctx: RequestContext, user: UserProfile): Promise<void> {
    await refused(
      user,
      ctx.manager.query(
        `INSERT INTO users (id, name, description, enabled, default_project_id, options, extra,
                            domain_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [...changeable(user), user.domainId],
      ),
    );
  }

  /** @throws DuplicateNameError, DefaultProjectNotFoundError */
  async update(ctx: RequestContext, user: UserProfile): Promise<void> {
    await refused(
      user,
      ctx.manager.query(
        `UPDATE users SET name = $2, description = $3, enabled = $4, default_project_id = $5,
                          options = $6, extra = $7
          WHERE id = $1`,
        changeable(user),
      ),
    );
  }

  /** @returns whether it was there */
  async delete(ctx: RequestContext, id: string): Promise<boolean> {
    const [, count]: [unknown, number] = await ctx.manager.query(
      'DELETE FROM users WHERE id = $1',
      [id],
    );
    return count > 0;
  }
}

function changeable(user: UserProfile): unknown[] {
  const { id, name, description, enabled, defaultProjectId, options, extra } = user;
  return [id, name, description, enabled, defaultProjectId, options, extra];
}

function refused<T>(user: UserProfile, work: Promise<T>): Promise<T> {
  const { name, domainId, defaultProjectId } = user;
  return orRefused(work, {
    users_domain_name_key: () => new DuplicateNameError('user', name, `in the domain ${domainId}`),
    users_domain_id_fkey: () => new DomainNotFoundError(domainId),
    users_default_project_id_fkey: () => new DefaultProjectNotFoundError(defaultProjectId ?? ''),
  });
}
