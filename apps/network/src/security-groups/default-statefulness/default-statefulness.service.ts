import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { inProject, reachable } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { pageOf, type Query } from '@cumulet/common/resources/list-query';
import { isPrivileged } from '@cumulet/common/resources/privileges';
import { PolicyNotAuthorizedError } from '@cumulet/common/resources/resource.errors';
import { defaultStatefulness, type DefaultStatefulness } from './default-statefulness.entity.js';
import { SecurityGroupDefaultStatefulnessNotFoundError } from './default-statefulness.errors.js';
import { defaultStatefulnessResource as resource } from './default-statefulness.resource.js';
import type {
  DefaultStatefulnessChange,
  NewDefaultStatefulness,
} from './default-statefulness.resource.js';

/** Projects see and change their own default; the common one is for administrators. */
@Injectable()
export class DefaultStatefulnessService {
  async list(ctx: RequestContext, query: Query): Promise<readonly DefaultStatefulness[]> {
    const page = pageOf<DefaultStatefulness>(resource, query, ctx);
    const marker = page.marker === undefined || isUuid(page.marker) ? page.marker : NO_ID;
    return (await defaultStatefulness.list(ctx, { ...page, marker, scope: reachable(ctx) })).rows;
  }

  /** @throws SecurityGroupDefaultStatefulnessNotFoundError */
  get(ctx: RequestContext, id: string): Promise<DefaultStatefulness> {
    if (!isUuid(id)) throw new SecurityGroupDefaultStatefulnessNotFoundError(id);
    return defaultStatefulness.get(ctx, id, reachable(ctx));
  }

  /**
   * Creates all or none.
   * @throws SecurityGroupDefaultStatefulnessAlreadyExistsError
   * @throws PolicyNotAuthorizedError for the common default
   */
  create(
    ctx: RequestContext,
    bodies: readonly NewDefaultStatefulness[],
  ): Promise<DefaultStatefulness[]> {
    return inTransaction(ctx, async (tx) => {
      const made: DefaultStatefulness[] = [];
      for (const { projectId: named, stateful } of bodies) {
        const projectId = named === null ? null : inProject(ctx, named).projectId;
        refuseUnlessManager(ctx, 'create', projectId);
        made.push(await defaultStatefulness.insert(tx, { id: randomUUID(), projectId, stateful }));
      }
      return made;
    });
  }

  update(
    ctx: RequestContext,
    id: string,
    change: DefaultStatefulnessChange,
  ): Promise<DefaultStatefulness> {
    return inTransaction(ctx, async (tx) => {
      const { id: own, projectId, stateful: before } = await this.get(tx, id);
      refuseUnlessManager(ctx, 'update', projectId);
      return defaultStatefulness.update(tx, own, { stateful: change.stateful ?? before });
    });
  }

  async remove(ctx: RequestContext, id: string): Promise<void> {
    const { id: own, projectId } = await this.get(ctx, id);
    refuseUnlessManager(ctx, 'delete', projectId);
    await defaultStatefulness.delete(ctx, own);
  }
}

/** @param projectId null for the common default @throws PolicyNotAuthorizedError */
function refuseUnlessManager(
  ctx: RequestContext,
  verb: 'create' | 'update' | 'delete',
  projectId: string | null,
): void {
  const may = projectId === null ? ctx.isAdmin : isPrivileged(ctx, 'manager');
  if (!may) throw new PolicyNotAuthorizedError(`${verb}_${resource.singular}`);
}

/** Matches no row; compared in place of IDs that are not UUIDs. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
