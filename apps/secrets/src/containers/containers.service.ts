import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { filtersOf } from '@cumulet/common/tables/listing';
import type { PolicyName } from '../access/policy.js';
import { pageOf, type NumberedPage } from '../http/pages.js';
import { SecretQuotas } from '../quotas/secret-quotas.js';
import { isAlive, secrets } from '../secrets/secret.entity.js';
import { requireFitting } from './container-names.js';
import {
  containedSecret,
  type ListContainersQuery,
  type NewContainerDto,
  type SecretRefDto,
} from './container.dto.js';
import {
  containers,
  containerSecrets,
  type ContainedSecret,
  type Container,
  type ContainerId,
} from './container.entity.js';
import { ContainedSecretNotFoundError, ContainerFixedError } from './container.errors.js';

/** Public source: Key Manager API reference, "Containers API". */
@Injectable()
export class ContainersService {
  constructor(private readonly quotas: SecretQuotas) {}

  list(ctx: RequestContext, query: ListContainersQuery): Promise<NumberedPage<Container>> {
    return pageOf(ctx, containers, query, {
      scope: [equals('projectId', ctx.projectId)],
      where: filtersOf(query),
      sort: [{ by: 'createdAt', descending: false }],
    });
  }

  show(ctx: RequestContext, id: ContainerId): Promise<Container> {
    return containers.permitted(ctx, id, 'container:get');
  }

  /** @throws InvalidInputError, ContainedSecretNotFoundError or that of a quota, and leaves nothing */
  async create(ctx: RequestContext, body: NewContainerDto): Promise<ContainerId> {
    const contained = (body.secret_refs ?? []).map((one) => containedSecret(ctx, one));
    requireFitting(body.type, contained);
    const id = asId<ContainerId>(randomUUID());
    await inTransaction(ctx, async (tx) => {
      await this.quotas.claim(tx, { containers: 1 });
      await requireOwn(tx, contained);
      await containers.insert(tx, {
        id,
        projectId: tx.projectId,
        creatorId: tx.userId,
        name: body.name ?? null,
        type: body.type,
      });
      const rows = contained.map((one, position) => ({ containerId: id, ...one, position }));
      await containerSecrets.insertAll(tx, rows);
    });
    return id;
  }

  async delete(ctx: RequestContext, id: ContainerId): Promise<void> {
    await containers.permitted(ctx, id, 'container:delete');
    await containers.delete(ctx, id);
  }

  /** @throws ContainerFixedError, ContainedSecretNotFoundError, NameTakenError */
  async add(ctx: RequestContext, id: ContainerId, ref: SecretRefDto): Promise<void> {
    await this.#change(ctx, id, 'container_secret:post', async (tx) => {
      const added = containedSecret(ctx, ref);
      await requireOwn(tx, [added]);
      const others = await containerSecrets.select(tx, [equals('containerId', id)]);
      const position = Math.max(-1, ...others.map((one) => one.position)) + 1;
      await containerSecrets.insert(tx, { containerId: id, ...added, position });
    });
  }

  /** @throws ContainerFixedError, NotInContainerError */
  async remove(ctx: RequestContext, id: ContainerId, ref: SecretRefDto): Promise<void> {
    await this.#change(ctx, id, 'container_secret:delete', (tx) =>
      containerSecrets.delete(tx, { containerId: id, ...containedSecret(ctx, ref) }),
    );
  }

  async #change(
    ctx: RequestContext,
    id: ContainerId,
    operation: PolicyName,
    work: (tx: RequestContext) => Promise<void>,
  ): Promise<void> {
    await inTransaction(ctx, async (tx) => {
      const { type, name } = await containers.held(tx, id, operation);
      if (type !== 'generic') throw new ContainerFixedError(id, type);
      await work(tx);
      // The time of its last change is that of its secrets, too.
      await containers.update(tx, id, { name });
    });
  }
}

/** @throws ContainedSecretNotFoundError for one that is not the project's */
async function requireOwn(
  tx: RequestContext,
  contained: readonly ContainedSecret[],
): Promise<void> {
  const ids = contained.map(({ secretId }) => secretId);
  if (ids.length === 0) return;
  const own = [oneOf('id', ids), equals('projectId', tx.projectId), isAlive];
  const found = new Set((await secrets.select(tx, own)).map(({ id }) => id));
  const missing = contained.find(({ secretId }) => !found.has(secretId));
  if (missing) throw new ContainedSecretNotFoundError(missing.name, missing.secretId);
}
