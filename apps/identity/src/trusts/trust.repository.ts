import type { UserId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { shapeOf } from '@cumulet/common/database/rows';
import { notFoundBy } from '../resource/resource.errors.js';
import { ResourceTable } from '../resource/resource.service.js';
import type { Role, RoleId } from '../roles/role.resource.js';
import { Trust, type TrustId } from './trust.resource.js';
import { TrustRoleNotFoundError, type TrustTerms } from './trust-terms.js';

export interface DetailedTrust extends Trust {
  /** By name, whether or not the grantor still has them. */
  readonly roles: readonly Omit<Role, 'createdAt'>[];
  /** The trustor, in a chain the first, whose roles they are. */
  readonly grantorId: UserId;
  /** The users who redelegated it, from the first trustee on. */
  readonly intermediaryIds: readonly UserId[];
  /** Whether all users in the chain, and their domains, are enabled. */
  readonly isChainEnabled: boolean;
}

type Parties = Pick<Trust, 'id' | 'trustorUserId' | 'trusteeUserId' | 'redelegatedTrustId'>;

export interface NewTrust extends TrustTerms, Readonly<Parties> {
  readonly roleIds: readonly RoleId[];
}

class TrustTable extends ResourceTable<Trust> {
  /** A trust that has expired or has no uses left is not found, as in Keystone. */
  async findUsable(ctx: RequestContext, id: string): Promise<DetailedTrust | undefined> {
    const rows: DetailedTrust[] = await ctx.manager.query(
      `WITH RECURSIVE chain (id, trustor_user_id, trustee_user_id, redelegated_trust_id) AS (
         SELECT id, trustor_user_id, trustee_user_id, redelegated_trust_id
           FROM trusts WHERE id = $1
         UNION SELECT above.id, above.trustor_user_id, above.trustee_user_id,
                      above.redelegated_trust_id
           FROM trusts above JOIN chain ON above.id = chain.redelegated_trust_id
       )
       SELECT ${shapeOf(ctx.manager, Trust).columns}, ${ROLES} AS roles,
              (SELECT trustor_user_id FROM chain WHERE redelegated_trust_id IS NULL) AS "grantorId",
              COALESCE((SELECT json_agg(trustee_user_id) FROM chain WHERE id <> $1), '[]')
                AS "intermediaryIds",
              NOT EXISTS (
                SELECT FROM chain
                  JOIN users ON users.id IN (chain.trustor_user_id, chain.trustee_user_id)
                  JOIN domains ON domains.id = users.domain_id
                 WHERE NOT (users.enabled AND domains.enabled)) AS "isChainEnabled"
         FROM trusts WHERE id = $1 AND ${USABLE}`,
      [id],
    );
    return rows[0];
  }

  /** @throws NotFoundError, TrustRoleNotFoundError for what was removed since */
  async create(tx: RequestContext, trust: NewTrust): Promise<void> {
    const { id, trustorUserId, trusteeUserId, projectId, redelegatedTrustId, roleIds } = trust;
    const { impersonation, expiry, remainingUses, redelegationCount, applicationCredentialId } =
      trust;
    const users = [trustorUserId, trusteeUserId];
    const terms = [impersonation, expiry, remainingUses, redelegatedTrustId, redelegationCount];
    const bound = [projectId, ...terms, applicationCredentialId];
    await this.write(
      tx,
      trust,
      `WITH trust AS (
         INSERT INTO trusts (id, trustor_user_id, trustee_user_id, project_id, impersonation,
                             expires_at, remaining_uses, redelegated_trust_id, redelegation_count,
                             application_credential_id)
         VALUES ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id
       )
       INSERT INTO trust_roles (trust_id, role_id) SELECT trust.id, unnest($1::text[]) FROM trust`,
      [roleIds, id, ...users, ...bound],
      {
        refusals: {
          trust_roles_role_id_fkey: () =>
            new TrustRoleNotFoundError(roleIds.join(', '), projectId ?? ''),
        },
      },
    );
  }

  /**
   * Takes one use of the trust, in one statement, so that no use is taken twice.
   * @returns false if none is left, or the trust has expired or was deleted
   */
  async consume(ctx: RequestContext, id: string): Promise<boolean> {
    const [, count]: [unknown, number] = await ctx.manager.query(
      `UPDATE trusts SET remaining_uses = remaining_uses - 1 WHERE id = $1 AND ${USABLE}`,
      [id],
    );
    return count > 0;
  }

  /**
   * Deletes a trust with its redelegations.
   * @returns the IDs of all deleted trusts; none if there was no such trust
   */
  async deleteChain(ctx: RequestContext, id: string): Promise<TrustId[]> {
    const rows: { id: TrustId }[] = await ctx.manager.query(
      `WITH RECURSIVE below (id) AS (
         SELECT id FROM trusts WHERE id = $1
         UNION SELECT trusts.id FROM trusts JOIN below ON trusts.redelegated_trust_id = below.id
       ), deleted AS (
         -- The others go by their foreign key.
         DELETE FROM trusts WHERE id = $1
       )
       SELECT id FROM below`,
      [id],
    );
    return rows.map((row) => row.id);
  }
}

export const trusts = new TrustTable(Trust, 'trust', {
  refusals: {
    trusts_trustee_user_id_fkey: notFoundBy('user', 'trusteeUserId'),
    trusts_trustor_user_id_fkey: notFoundBy('user', 'trustorUserId'),
    trusts_redelegated_trust_id_fkey: notFoundBy('trust', 'redelegatedTrustId'),
    trusts_project_id_fkey: notFoundBy('project'),
    trusts_application_credential_id_fkey: notFoundBy(
      'application credential',
      'applicationCredentialId',
    ),
  },
});

const USABLE = `(trusts.expires_at IS NULL OR trusts.expires_at > now())
  AND (trusts.remaining_uses IS NULL OR trusts.remaining_uses > 0)`;

const ROLES = `COALESCE((
  SELECT json_agg(
           json_build_object('id', roles.id, 'name', roles.name, 'domainId', roles.domain_id,
                             'description', roles.description, 'options', roles.options,
                             'extra', roles.extra) ORDER BY roles.name, roles.id)
    FROM trust_roles JOIN roles ON roles.id = trust_roles.role_id
   WHERE trust_roles.trust_id = trusts.id), '[]')`;
