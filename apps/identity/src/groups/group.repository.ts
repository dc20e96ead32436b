import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { pageClause } from '@cumulet/common/http/paging';
import { DomainNotFoundError } from '../domains/domain.errors.js';
import { inexactMatch, type InexactFilter } from '../http/inexact-filter.js';
import { orRefused } from '../http/or-refused.js';
import { byName, type PageStart } from '../http/page.js';
import { DuplicateNameError } from '../http/resource-errors.js';
import { Group } from './group.entity.js';

export interface GroupFilter {
  readonly name?: string | undefined;
  readonly domainId?: string | undefined;
  readonly inexact?: readonly InexactFilter[];
  /** Only those that this user is in. */
  readonly userId?: string | undefined;
  /** Only what this domain owns: the caller's token is of it. */
  readonly within?: string | undefined;
}

export type GroupProfile = Omit<Group, 'createdAt'>;

const COLUMNS = { name: 'name', domain_id: 'domain_id' };

@Injectable()
export class GroupRepository {
  find(ctx: RequestContext, id: string): Promise<Group | undefined> {
    return selectRow(ctx.manager, Group, 'WHERE id = $1', [id]);
  }

  /** The same, and nobody else changes the group before the transaction ends. */
  lock(ctx: RequestContext, id: string): Promise<Group | undefined> {
    return selectRow(ctx.manager, Group, 'WHERE id = $1 FOR UPDATE', [id]);
  }

  list(ctx: RequestContext, filter: GroupFilter, { rows, after }: PageStart): Promise<Group[]> {
    const { name, domainId, within, userId } = filter;
    const inexact = inexactMatch(filter.inexact, COLUMNS, 5);
    const page = pageClause({ limit: rows, sort: byName('groups'), after }, inexact.next);
    return selectRows(
      ctx.manager,
      Group,
      `WHERE ($1::text IS NULL OR name = $1) AND ($2::text IS NULL OR domain_id = $2)
         AND ($3::text IS NULL OR domain_id = $3)
         AND ($4::text IS NULL OR id IN (SELECT group_id FROM group_members WHERE user_id = $4))
         AND ${inexact.condition} AND ${page.condition} ${page.order}`,
      [name, domainId, within, userId, ...inexact.params, ...page.params],
    );
  }

  /** @throws DuplicateNameError, DomainNotFoundError */
  async insert(ctx: RequestContext, group: GroupProfile): Promise<void> {
    const { id, domainId, name, description, extra } = group;
    await refused(
      group,
      ctx.manager.query(
        `INSERT INTO groups (id, domain_id, name, description, extra) VALUES ($1, $2, $3, $4, $5)`,
        [id, domainId, name, description, extra],
      ),
    );
  }

  /** @throws DuplicateNameError */
  async update(ctx: RequestContext, group: GroupProfile): Promise<void> {
    const { id, name, description, extra } = group;
    await refused(
      group,
      ctx.manager.query('UPDATE groups SET name = $2, description = $3, extra = $4 WHERE id = $1', [
        id,
        name,
        description,
        extra,
      ]),
    );
  }

  /** @returns whether it was there */
  async delete(ctx: RequestContext, id: string): Promise<boolean> {
    const [, count]: [unknown, number] = await ctx.manager.query(
      'DELETE FROM groups WHERE id = $1',
      [id],
    );
    return count > 0;
  }
}

function refused<T>({ name, domainId }: GroupProfile, work: Promise<T>): Promise<T> {
  return orRefused(work, {
    groups_domain_name_key: () =>
      new DuplicateNameError('group', name, `in the domain ${domainId}`),
    groups_domain_id_fkey: () => new DomainNotFoundError(domainId),
  });
}
