/** Public source: Key Manager API reference, "Consumers API" and "Secret Consumers API". */
import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { ProjectId } from '@cumulet/common/context/ids';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { Shown } from '@cumulet/common/http/shown';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import { answerOf, bodyOf, columnsGiven, rowOf } from '@cumulet/common/resources/classes';
import { text } from '@cumulet/common/resources/field-type';
import { Table } from '@cumulet/common/tables/table';
import { time } from '../access/owned.js';
import { Container, type ContainerId } from '../containers/container.resource.js';
import { pageClass } from '../http/pages.js';
import { CONSUMER, Secret, type SecretId } from '../secrets/secret.resource.js';

const REGISTERED = {
  createdAt: shownOnly(time, {
    about: 'When the consumer was registered, in UTC.',
    wire: 'created',
    column: { default: () => 'now()' },
  }),
} as const;

const SECRET_CONSUMER = { ...CONSUMER, ...REGISTERED } as const;

const CONTAINER_CONSUMER = {
  name: attribute(text(), { about: 'The name of the consumer.', required: true }),
  url: attribute(text({ max: 2_048 }), {
    about: 'The URL of the consumer.',
    wire: 'URL',
    required: true,
  }),
  ...REGISTERED,
} as const;

abstract class ConsumerColumns {
  /** The project that registered it. */
  @Column('text', { name: 'project_id' })
  projectId: ProjectId;
}

@Entity('secret_consumers')
@Unique('secret_consumers_key', ['secretId', 'service', 'resourceType', 'resourceId'])
@Index('secret_consumers_secret_id', ['secretId', 'createdAt', 'id'])
@Index('secret_consumers_project_id', ['projectId'])
export class SecretConsumerRow extends rowOf(SECRET_CONSUMER, ConsumerColumns) {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'secret_consumers_pkey' })
  id: string;

  @Column('uuid', { name: 'secret_id' })
  @ForeignKey(() => Secret, { name: 'secret_consumers_secret_id_fkey', onDelete: 'CASCADE' })
  secretId: SecretId;
}

@Entity('container_consumers')
@Unique('container_consumers_key', ['containerId', 'name', 'url'])
@Index('container_consumers_container_id', ['containerId', 'createdAt', 'id'])
@Index('container_consumers_project_id', ['projectId'])
export class ContainerConsumerRow extends rowOf(CONTAINER_CONSUMER, ConsumerColumns) {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'container_consumers_pkey' })
  id: string;

  @Column('uuid', { name: 'container_id' })
  @ForeignKey(() => Container, {
    name: 'container_consumers_container_id_fkey',
    onDelete: 'CASCADE',
  })
  containerId: ContainerId;
}

const noConsumer = (of: string) => (): DomainError =>
  new DomainError('not-found', `${of} has no such consumer.`);

export const secretConsumers = new Table(SecretConsumerRow, { missing: noConsumer('The secret') });
export const containerConsumers = new Table(ContainerConsumerRow, {
  missing: noConsumer('The container'),
});

@IgnoresOthers()
export class SecretConsumerDto extends bodyOf(SECRET_CONSUMER) {}

@IgnoresOthers()
export class ContainerConsumerDto extends bodyOf(CONTAINER_CONSUMER) {}

export const secretConsumerOf = (secretId: SecretId, body: object): Partial<SecretConsumerRow> => ({
  ...columnsGiven(SECRET_CONSUMER, body),
  secretId,
});

export const containerConsumerOf = (
  containerId: ContainerId,
  body: object,
): Partial<ContainerConsumerRow> => ({ ...columnsGiven(CONTAINER_CONSUMER, body), containerId });

const STATUS = {
  status: Shown(String, 'Always ACTIVE.', { enum: ['ACTIVE'], from: () => 'ACTIVE' }),
  // A consumer does not change.
  updated: Shown<SecretConsumerRow>(String, 'The same as `created`.', {
    from: ({ createdAt }) => createdAt,
  }),
};

export class RegisteredSecretConsumer extends answerOf(SECRET_CONSUMER, STATUS) {}
export class RegisteredContainerConsumer extends answerOf(CONTAINER_CONSUMER, STATUS) {}

export const SecretConsumerPage = pageClass('consumers', RegisteredSecretConsumer);
export const ContainerConsumerPage = pageClass('consumers', RegisteredContainerConsumer);
