import { Injectable } from '@nestjs/common';
import type { DomainId, ProjectId, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { ownedBy, type OwnedRef } from '../database/owned-ref.js';
import { User } from './user.entity.js';

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
}

export interface UserFilter {
  readonly name?: string | undefined;
  readonly domainId?: string | undefined;
  readonly enabled?: boolean | undefined;
  /** Only what this domain owns: the caller's token is of it. */
  readonly within?: string | undefined;
}

/** A user with its password, as a setting makes it. */
export type PasswordUser = Pick<
  User,
  'id' | 'name' | 'description' | 'passwordHash' | 'settingDigest'
>;

@Injectable()
export class UserRepository {
  async findAccount(ctx: RequestContext, ref: OwnedRef): Promise<Account | undefined> {
    const { condition, params } = ownedBy('users', ref, 1);
    const rows: Account[] = await ctx.manager.query(
      `SELECT users.id, users.name, users.enabled AND domains.enabled AS enabled,
              users.password_hash AS "passwordHash", users.default_project_id AS "defaultProjectId",
              domains.id AS "domainId", domains.name AS "domainName"
         FROM users JOIN domains ON domains.id = users.domain_id
        WHERE ${condition}`,
      [...params],
    );
    return rows[0];
  }

  async listWithPasswords(
    ctx: RequestContext,
    domainId: string,
    names: readonly string[],
  ): Promise<PasswordUser[]> {
    return ctx.manager.query(
      `SELECT id, name, description, password_hash AS "passwordHash",
              setting_digest AS "settingDigest"
         FROM users WHERE domain_id = $1 AND name = ANY($2)`,
      [domainId, names],
    );
  }

  /** Makes the user, or gives the one with its id this password. */
  async savePassword(ctx: RequestContext, domainId: string, user: PasswordUser): Promise<void> {
    await ctx.manager.query(
      `INSERT INTO users (id, domain_id, name, description, password_hash, setting_digest)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO UPDATE SET password_hash = $5, setting_digest = $6`,
      [user.id, domainId, user.name, user.description, user.passwordHash, user.settingDigest],
    );
  }

  find(ctx: RequestContext, id: string): Promise<User | undefined> {
    return selectRow(ctx.manager, User, 'WHERE id = $1', [id]);
  }

  list(ctx: RequestContext, { name, domainId, enabled, within }: UserFilter): Promise<User[]> {
    return selectRows(
      ctx.manager,
      User,
      `WHERE ($1::text IS NULL OR name = $1) AND ($2::text IS NULL OR domain_id = $2)
         AND ($3::boolean IS NULL OR enabled = $3) AND ($4::text IS NULL OR domain_id = $4)
       ORDER BY name, id`,
      [name, domainId, enabled, within],
    );
  }
}
