import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { ProjectId } from '@cumulet/common/context/ids';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { Table } from '@cumulet/common/tables/table';
import { Container, type ContainerId } from '../containers/container.entity.js';
import { Secret, type SecretId } from '../secrets/secret.entity.js';

abstract class ConsumerColumns {
  /** The project that registered it. */
  @Column('text', { name: 'project_id' })
  projectId: ProjectId;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt: Date;
}

/** What uses a secret: `load-balancer`, `listener` and its id. */
@Entity('secret_consumers')
@Unique('secret_consumers_key', ['secretId', 'service', 'resourceType', 'resourceId'])
@Index('secret_consumers_secret_id', ['secretId', 'createdAt', 'id'])
@Index('secret_consumers_project_id', ['projectId'])
export class SecretConsumerRow extends ConsumerColumns {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'secret_consumers_pkey' })
  id: string;

  @Column('uuid', { name: 'secret_id' })
  @ForeignKey(() => Secret, { name: 'secret_consumers_secret_id_fkey', onDelete: 'CASCADE' })
  secretId: SecretId;

  @Column('text')
  service: string;

  @Column('text', { name: 'resource_type' })
  resourceType: string;

  @Column('text', { name: 'resource_id' })
  resourceId: string;
}

/** What uses a container, by a name and an address. */
@Entity('container_consumers')
@Unique('container_consumers_key', ['containerId', 'name', 'url'])
@Index('container_consumers_container_id', ['containerId', 'createdAt', 'id'])
@Index('container_consumers_project_id', ['projectId'])
export class ContainerConsumerRow extends ConsumerColumns {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'container_consumers_pkey' })
  id: string;

  @Column('uuid', { name: 'container_id' })
  @ForeignKey(() => Container, {
    name: 'container_consumers_container_id_fkey',
    onDelete: 'CASCADE',
  })
  containerId: ContainerId;

  @Column('text')
  name: string;

  @Column('text')
  url: string;
}

export class ConsumerNotFoundError extends DomainError {
  constructor(of: string) {
    super('not-found', `${of} has no such consumer.`);
  }
}

export const secretConsumers = new Table(SecretConsumerRow, {
  missing: () => new ConsumerNotFoundError('The secret'),
});

export const containerConsumers = new Table(ContainerConsumerRow, {
  missing: () => new ConsumerNotFoundError('The container'),
});
