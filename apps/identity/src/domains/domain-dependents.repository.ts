import { Injectable } from '@nestjs/common';
import type { UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';

/** What depends on a domain, beyond the users, projects and tokens that are of it. */
@Injectable()
export class DomainDependentsRepository {
  /** A project or a role of the domain that may not be deleted. */
  async findImmutable(
    tx: RequestContext,
    domainId: string,
  ): Promise<{ readonly kind: string; readonly id: string } | undefined> {
    const rows: { kind: string; id: string }[] = await tx.manager.query(
      `SELECT 'project' AS kind, id FROM projects
        WHERE domain_id = $1 AND options @> '{"immutable": true}'
       UNION ALL
       SELECT 'role', id FROM roles WHERE domain_id = $1 AND options @> '{"immutable": true}'
       LIMIT 1`,
      [domainId],
    );
    return rows[0];
  }

  /**
   * The trusts in whose chain a user of the domain has a part: tokens of them may be those of users
   * of other domains, for projects of other domains.
   */
  async listTrusts(tx: RequestContext, domainId: string): Promise<string[]> {
    const rows: { id: string }[] = await tx.manager.query(
      `WITH RECURSIVE concerned (id) AS (
         SELECT trusts.id
           FROM users JOIN trusts ON users.id IN (trustor_user_id, trustee_user_id)
          WHERE users.domain_id = $1
         UNION
         SELECT trusts.id FROM trusts JOIN concerned ON redelegated_trust_id = concerned.id
       )
       SELECT id FROM concerned`,
      [domainId],
    );
    return rows.map(({ id }) => id);
  }

  /** The users of other domains who have roles by groups of this one. */
  async listGuests(tx: RequestContext, domainId: string): Promise<UserId[]> {
    const rows: { id: UserId }[] = await tx.manager.query(
      `SELECT DISTINCT users.id
         FROM groups JOIN group_members ON group_members.group_id = groups.id
                     JOIN users ON users.id = group_members.user_id
        WHERE groups.domain_id = $1 AND users.domain_id <> $1`,
      [domainId],
    );
    return rows.map(({ id }) => id);
  }
}
