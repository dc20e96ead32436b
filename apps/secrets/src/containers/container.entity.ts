import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { isUuid, type Id } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { requireAllowed, visible } from '../access/access.js';
import { OwnedColumns } from '../access/owned.columns.js';
import type { PolicyName } from '../access/policy.js';
import { Secret, type SecretId } from '../secrets/secret.entity.js';
import {
  ContainedSecretNotFoundError,
  ContainerNotFoundError,
  NameTakenError,
  NotInContainerError,
} from './container.errors.js';
import { CONTAINER_TYPES, type ContainerType } from './container-types.js';

export type ContainerId = Id<'Container'>;

/** Secrets that belong together, such as a certificate and its key. */
@Entity('containers')
@Index('containers_project_id_created_at', ['projectId', 'createdAt', 'id'])
@Index('containers_acl_users', { synchronize: false })
@Check(
  'containers_type_check',
  `type IN (${CONTAINER_TYPES.map((type) => `'${type}'`).join(', ')})`,
)
export class Container extends OwnedColumns {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'containers_pkey' })
  id: ContainerId;

  @Column('text')
  type: ContainerType;

  /** In the order in which they were given. */
  @VirtualColumn('json', {
    query: (table) =>
      `SELECT COALESCE(json_agg(json_build_object('name', name, 'secretId', secret_id)
              ORDER BY position), '[]')
         FROM container_secrets WHERE container_id = ${table}.id`,
  })
  secrets: readonly ContainedSecret[];

  @VirtualColumn('json', {
    query: (table) =>
      `SELECT COALESCE(json_agg(json_build_object('name', name, 'URL', url)
              ORDER BY container_consumers.created_at, container_consumers.id), '[]')
         FROM container_consumers WHERE container_id = ${table}.id`,
  })
  consumers: readonly { readonly name: string; readonly URL: string }[];
}

/** What a secret is called in a container; empty if it has no name there. */
export interface ContainedSecret {
  readonly name: string;
  readonly secretId: SecretId;
}

/** A secret that is deleted is in no container any more. */
@Entity('container_secrets')
@Index('container_secrets_secret_id', ['secretId'])
export class ContainerSecret implements ContainedSecret {
  @PrimaryColumn('uuid', {
    name: 'container_id',
    primaryKeyConstraintName: 'container_secrets_pkey',
  })
  @ForeignKey(() => Container, {
    name: 'container_secrets_container_id_fkey',
    onDelete: 'CASCADE',
  })
  containerId: ContainerId;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'container_secrets_pkey' })
  name: string;

  @Column('uuid', { name: 'secret_id' })
  @ForeignKey(() => Secret, { name: 'container_secrets_secret_id_fkey', onDelete: 'CASCADE' })
  secretId: SecretId;

  @Column('integer')
  position: number;
}

class Containers extends Table<Container> {
  /**
   * A container that the caller may use so.
   * @throws ContainerNotFoundError if it does not exist to the caller, ForbiddenError if it does
   */
  async permitted(ctx: RequestContext, id: ContainerId, operation: PolicyName): Promise<Container> {
    if (!isUuid(id)) throw new ContainerNotFoundError(id);
    const container = await this.get(ctx, id, visible(ctx));
    requireAllowed(ctx, container, operation, `container ${id}`);
    return container;
  }

  /** The same, which nobody else changes or removes before the transaction ends. */
  async held(tx: RequestContext, id: ContainerId, operation: PolicyName): Promise<Container> {
    await this.permitted(tx, id, operation);
    return this.lock(tx, id);
  }
}

export const containers = new Containers(Container, {
  missing: (key) => new ContainerNotFoundError(rowOf(key).id ?? ''),
  touched: 'updatedAt',
});

export const containerSecrets = new Table(ContainerSecret, {
  missing: (key) => {
    const { containerId = '', name = '', secretId = '' } = rowOf(key);
    return new NotInContainerError(containerId, name, secretId);
  },
  refusals: {
    container_secrets_pkey: ({ containerId = '', name = '' }) =>
      new NameTakenError(containerId, name),
    // It was deleted a moment ago.
    container_secrets_secret_id_fkey: ({ name = '', secretId = '' }) =>
      new ContainedSecretNotFoundError(name, secretId),
  },
});
