/** Public source: Key Manager API reference, "Containers API". */
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, VirtualColumn } from 'typeorm';
import { isUuid, type Id } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { EnumField, ListField, StringField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { answerClass, Shown, viewIn } from '@cumulet/common/http/shown';
import { attribute, shownOnly } from '@cumulet/common/resources/attribute';
import {
  answerOf,
  bodyOf,
  columnsGiven,
  rowOf as columnsOf,
  type GivenColumns,
} from '@cumulet/common/resources/classes';
import { choice, json } from '@cumulet/common/resources/field-type';
import { equals, rowOf } from '@cumulet/common/tables/condition';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { Table } from '@cumulet/common/tables/table';
import { requireAllowed, visible } from '../access/access.js';
import { OWNED, OwnedColumns } from '../access/owned.js';
import type { PolicyName } from '../access/policy.js';
import { pageClass, PageQuery } from '../http/pages.js';
import { containerRef, secretIdOf, secretRef } from '../http/refs.js';
import { zonelessTime } from '../http/time.js';
import { Secret, type SecretId } from '../secrets/secret.resource.js';
import {
  ContainedSecretNotFoundError,
  ContainerNotFoundError,
  NameTakenError,
  NotInContainerError,
} from './container.errors.js';

export type ContainerId = Id<'Container'>;

export const CONTAINER_TYPES = ['generic', 'rsa', 'certificate'] as const;
export type ContainerType = (typeof CONTAINER_TYPES)[number];

const MAX_SECRETS = 100;

const ContainerConsumer = answerClass('ContainerConsumer', {
  name: Shown(String, 'The name of the consumer.'),
  URL: Shown(String, 'The URL of the consumer.'),
});

const CONTAINER = {
  ...OWNED,
  type: attribute(choice(CONTAINER_TYPES), { about: 'The type of the container.', required: true }),
  consumers: shownOnly(json<readonly object[]>([() => ContainerConsumer]), {
    about: 'The consumers of the container.',
    column: { type: 'json' },
    virtual: (table) =>
      `SELECT COALESCE(json_agg(json_build_object('name', name, 'URL', url)
              ORDER BY container_consumers.created_at, container_consumers.id), '[]')
         FROM container_consumers WHERE container_id = ${table}.id`,
  }),
} as const;

/** Secrets that belong together, such as a certificate and its key. */
@Entity('containers')
@Index('containers_project_id_created_at', ['projectId', 'createdAt', 'id'])
@Index('containers_acl_users', { synchronize: false })
@Check(
  'containers_type_check',
  `type IN (${CONTAINER_TYPES.map((type) => `'${type}'`).join(', ')})`,
)
export class Container extends columnsOf(CONTAINER, OwnedColumns) {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'containers_pkey' })
  id: ContainerId;

  /** In the order in which they were given. */
  @VirtualColumn('json', {
    query: (table) =>
      `SELECT COALESCE(json_agg(json_build_object('name', name, 'secretId', secret_id)
              ORDER BY position), '[]')
         FROM container_secrets WHERE container_id = ${table}.id`,
  })
  secrets: readonly ContainedSecret[];
}

/** The name is empty without one. */
export interface ContainedSecret {
  readonly name: string;
  readonly secretId: SecretId;
}

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
   * The container, if the policy allows the operation.
   * @throws ContainerNotFoundError if the caller may not know of it, otherwise ForbiddenError
   */
  async permitted(ctx: RequestContext, id: ContainerId, operation: PolicyName): Promise<Container> {
    if (!isUuid(id)) throw new ContainerNotFoundError(id);
    const container = await this.get(ctx, id, visible(ctx));
    requireAllowed(ctx, container, operation, `container ${id}`);
    return container;
  }

  /** The same, locked until the transaction ends. */
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
    // It was deleted since.
    container_secrets_secret_id_fkey: ({ name = '', secretId = '' }) =>
      new ContainedSecretNotFoundError(name, secretId),
  },
});

@IgnoresOthers()
export class SecretRefDto {
  @StringField({
    optional: true,
    nullable: true,
    min: 0,
    description: 'The name of the secret in the container.',
  })
  name?: string | null;

  @StringField({ max: 2_048, description: 'The URL of the secret in this service.' })
  secret_ref: string;
}

@IgnoresOthers()
export class NewContainerDto extends bodyOf(CONTAINER) {
  @ListField(() => SecretRefDto, { optional: true, maxItems: MAX_SECRETS })
  secret_refs?: SecretRefDto[];
}

export function containerGiven(dto: NewContainerDto): GivenColumns<typeof CONTAINER> {
  return columnsGiven(CONTAINER, dto);
}

/** @throws InvalidInputError for any other URL than that of a secret of this service */
export function containedSecret(
  ctx: RequestContext,
  { name, secret_ref: ref }: SecretRefDto,
): ContainedSecret {
  return { name: name ?? '', secretId: secretIdOf<SecretId>(ctx, ref) };
}

export class ListContainersQuery extends PageQuery {
  @FilteredBy((name: string) => (name === '' ? undefined : equals('name', name)))
  @StringField({ optional: true, min: 0 })
  name?: string;

  @FilteredBy()
  @EnumField(CONTAINER_TYPES, { optional: true })
  type?: ContainerType;
}

const NamedSecretRef = answerClass('NamedSecretRef', {
  name: Shown(String, 'The name of the secret in the container.', { nullable: true }),
  secret_ref: Shown(String, 'The URL of the secret.'),
});

const ref = Shown<Container>(String, 'The URL of the container.', {
  from: ({ id }, ctx) => containerRef(ctx, id),
});

export class ContainerView extends answerOf(CONTAINER, {
  container_ref: ref,
  status: Shown(String, 'Always ACTIVE.', { enum: ['ACTIVE'], from: () => 'ACTIVE' }),
  secret_refs: Shown<Container>([() => NamedSecretRef], 'The secrets of the container.', {
    from: ({ secrets }, ctx) =>
      secrets.map(({ name, secretId }) => ({
        name: name === '' ? null : name,
        secret_ref: secretRef(ctx, secretId),
      })),
  }),
}) {}

export const ContainerPage = pageClass('containers', ContainerView);
export const ContainerRefView = answerClass('ContainerRefView', { container_ref: ref });

export function containerView(ctx: RequestContext): (container: Container) => object {
  return viewIn<Container, object>(ctx, ContainerView, zonelessTime);
}
