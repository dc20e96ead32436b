import type { DomainId, ProjectId, UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { ownedBy, type OwnedRef } from '../database/owned-ref.js';
import { OwnedTable } from '../resource/resource.service.js';
import { User } from './user.resource.js';
import type { UserOptions } from './user.options.js';

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

export type SettingUser = Pick<User, 'id' | 'name' | 'passwordHash' | 'settingDigest' | 'options'>;

export class UserTable extends OwnedTable<User> {
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
}

export const users = new UserTable(User, 'user', {
  refusals: {
    users_default_project_id_fkey: ({ defaultProjectId }) =>
      new InvalidInputError(
        `Invalid input: user.default_project_id '${defaultProjectId ?? ''}' is not the id of a project.`,
      ),
  },
});
