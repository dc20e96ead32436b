import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { invalid } from '@cumulet/common/errors/domain-error';
import { equals, oneOf } from '@cumulet/common/tables/condition';
import { filtersOf } from '@cumulet/common/tables/listing';
import type { PolicyName } from '../access/policy.js';
import { pageOf, type NumberedPage } from '../http/pages.js';
import { SecretQuotas } from '../quotas/secret-quotas.js';
import { isAlive, secrets } from '../secrets/secret.resource.js';
import { ContainedSecretNotFoundError, ContainerFixedError } from './container.errors.js';
import {
  containedSecret,
  containerGiven,
  containers,
  containerSecrets,
  type ContainedSecret,
  type Container,
  type ContainerId,
  type ContainerType,
  type ListContainersQuery,
  type NewContainerDto,
  type SecretRefDto,
} from './container.resource.js';

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

  /** @throws InvalidInputError, ContainedSecretNotFoundError or the error of a quota */
  async create(ctx: RequestContext, body: NewContainerDto): Promise<ContainerId> {
    const contained = (body.secret_refs ?? []).map((one) => containedSecret(ctx, one));
    const given = containerGiven(body);
    requireFitting(given.type, contained);
    const id = asId<ContainerId>(randomUUID());
    await inTransaction(ctx, async (tx) => {
      await this.quotas.claim(tx, { containers: 1 });
      await requireOwn(tx, contained);
      await containers.insert(tx, {
        id,
        projectId: tx.projectId,
        creatorId: tx.userId,
        ...given,
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
      // Changes of its secrets count as changes of the container.
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

/** The names that the secrets of a container may have, by its type; those of generic ones are free. */
const NAMES: Readonly<
  Partial<Record<ContainerType, Readonly<Record<'required' | 'optional', readonly string[]>>>>
> = {
  rsa: { required: ['public_key', 'private_key'], optional: ['private_key_passphrase'] },
  certificate: {
    required: ['certificate'],
    optional: ['private_key', 'private_key_passphrase', 'intermediates'],
  },
};

/**
 * A container without secrets may have any type, as in Barbican.
 * @throws InvalidInputError naming the missing, unknown or duplicate secret
 */
function requireFitting(type: ContainerType, secrets: readonly ContainedSecret[]): void {
  const names = secrets.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new BadSecretsError(`have the name '${twice}' twice`);
  const ids = secrets.map(({ secretId }) => secretId);
  const same = ids.find((id, at) => ids.indexOf(id) !== at);
  if (same !== undefined) throw new BadSecretsError(`have the secret ${same} twice`);
  const allowed = NAMES[type];
  if (!allowed || secrets.length === 0) return;
  const known = [...allowed.required, ...allowed.optional];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new BadSecretsError(
      `have the name '${unknown}', which is not one of ${known.join(', ')}: those of a container of type ${type}`,
    );
  const missing = allowed.required.find((name) => !names.includes(name));
  if (missing !== undefined)
    throw new BadSecretsError(`lack '${missing}', which a container of type ${type} must have`);
}

class BadSecretsError extends invalid(
  (reason: string) => `Invalid input: secret_refs ${reason}.`,
) {}
