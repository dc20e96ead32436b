import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { reachable } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';
import { equals, rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { MAX_PAGE } from '../http/pages.js';
import { ComputeQuotas } from '../quotas/compute-quotas.js';
import { versionOf } from '../versions/microversions.js';
import {
  HARD_POLICIES,
  ServerGroup,
  type CreateServerGroupDto,
  type ListServerGroupsQuery,
  type Policy,
} from './server-group.resource.js';
import {
  InvalidServerGroupError,
  ServerGroupNotFoundError,
  TooManyServerGroupsError,
  TooManyServersInGroupError,
} from './server-group.errors.js';

const groups = new Table(ServerGroup, {
  missing: (key) => new ServerGroupNotFoundError(rowOf(key).id ?? ''),
});

/** Public source: Nova API reference, "Server groups (os-server-groups)". */
@Injectable()
export class ServerGroupsService {
  constructor(private readonly quotas: ComputeQuotas) {}

  /** In the caller's project, or in all for an administrator. Oldest first. */
  list(ctx: RequestContext, query: ListServerGroupsQuery): Promise<ServerGroup[]> {
    const { all_projects: all, limit = MAX_PAGE, offset = 0 } = query;
    const scope = all !== undefined && ctx.isAdmin ? [] : [equals('projectId', ctx.projectId)];
    const page = `LIMIT ${Math.min(limit, MAX_PAGE)} OFFSET ${offset}`;
    return groups.select(ctx, scope, `ORDER BY created_at, id ${page}`);
  }

  /** @throws ServerGroupNotFoundError also for one of another project */
  get(ctx: RequestContext, id: string): Promise<ServerGroup> {
    if (!isUuid(id)) throw new ServerGroupNotFoundError(id);
    return groups.get(ctx, id, reachable(ctx));
  }

  /** @throws InvalidInputError for a policy that the microversion does not have */
  create(ctx: RequestContext, dto: CreateServerGroupDto): Promise<ServerGroup> {
    const policy = policyOf(ctx, dto);
    const maxPerHost = dto.rules?.max_server_per_host ?? null;
    if (policy !== 'anti-affinity' && maxPerHost !== null)
      throw new InvalidInputError('Only anti-affinity policy supports rules.');
    return inTransaction(ctx, async (tx) => {
      await this.quotas.claim(tx, { server_groups: 1 }).catch((error: unknown) => {
        throw error instanceof DomainError ? new TooManyServerGroupsError(error) : error;
      });
      return groups.insert(tx, {
        id: randomUUID(),
        projectId: tx.projectId,
        userId: tx.userId,
        name: dto.name,
        policy,
        maxPerHost,
      });
    });
  }

  /** Its servers stay. @throws ServerGroupNotFoundError */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.get(ctx, id);
    await groups.delete(ctx, id);
  }

  /**
   * Adds new servers to a group, in the transaction that has inserted them.
   * @throws InvalidServerGroupError, also for a group of another project
   * @throws TooManyServersInGroupError
   */
  async join(tx: RequestContext, id: string, servers: readonly string[]): Promise<void> {
    const [group] = await groups.select(
      tx,
      [equals('id', id), equals('projectId', tx.projectId)],
      'FOR UPDATE',
    );
    if (!group) throw new InvalidServerGroupError(id);
    const { server_group_members: limit } = await this.quotas.limits(tx, tx.projectId);
    const [{ count } = { count: 0 }]: { count: number }[] = await tx.manager.query(
      'SELECT count(*)::int AS count FROM server_group_members WHERE group_id = $1',
      [id],
    );
    if (limit >= 0 && count + servers.length > limit) throw new TooManyServersInGroupError();
    await tx.manager.query(
      'INSERT INTO server_group_members (server_id, group_id) SELECT unnest($1::uuid[]), $2',
      [servers, id],
    );
  }
}

/** @throws InvalidInputError naming a required or unsupported property */
function policyOf(ctx: RequestContext, { policies, policy, rules }: CreateServerGroupDto): Policy {
  const version = versionOf(ctx);
  if (version.atLeast(64)) {
    if (policies !== undefined) throw unknownProperty('policies');
    if (policy === undefined) throw required('policy');
    return policy;
  }
  if (policy !== undefined) throw unknownProperty('policy');
  if (rules !== undefined) throw unknownProperty('rules');
  if (policies === undefined) throw required('policies');
  const [only] = policies;
  if (version.atLeast(15) || (HARD_POLICIES as readonly string[]).includes(only)) return only;
  throw new InvalidInputError(
    `Invalid input: server_group.policies must be a list of one of ${HARD_POLICIES.join(', ')} before microversion 2.15.`,
  );
}

function unknownProperty(name: string): InvalidInputError {
  return new InvalidInputError(
    `Invalid input: server_group.${name} is not a property in this microversion.`,
  );
}

function required(name: string): InvalidInputError {
  return new InvalidInputError(`Invalid input: server_group.${name} is required.`);
}
