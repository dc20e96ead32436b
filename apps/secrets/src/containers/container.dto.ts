/** Containers on the wire. Public source: Key Manager API reference, "Containers API". */
import { EnumField, ListField, StringField } from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { Shown, viewIn } from '@cumulet/common/http/shown';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { equals } from '@cumulet/common/tables/condition';
import { pageClass, PageQuery } from '../http/pages.js';
import { containerRef, secretIdOf, secretRef } from '../http/refs.js';
import { zonelessTime } from '../http/time.js';
import type { SecretId } from '../secrets/secret.entity.js';
import { CONTAINER_TYPES, type ContainerType } from './container-types.js';
import type { ContainedSecret, Container } from './container.entity.js';

const MAX_SECRETS = 100;

@IgnoresOthers()
export class SecretRefDto {
  @StringField({ optional: true, nullable: true, min: 0, description: 'What it is called there.' })
  name?: string | null;

  @StringField({ max: 2_048, description: "The secret's address in this service." })
  secret_ref: string;
}

@IgnoresOthers()
export class NewContainerDto {
  @StringField({ optional: true, nullable: true, min: 0 })
  name?: string | null;

  @EnumField(CONTAINER_TYPES)
  type: ContainerType;

  @ListField(() => SecretRefDto, { optional: true, maxItems: MAX_SECRETS })
  secret_refs?: SecretRefDto[];
}

export class ListContainersQuery extends PageQuery {
  @FilteredBy((name: string) => (name === '' ? undefined : equals('name', name)))
  @StringField({ optional: true, min: 0 })
  name?: string;

  @FilteredBy()
  @EnumField(CONTAINER_TYPES, { optional: true })
  type?: ContainerType;
}

class NamedSecretRef {
  @Shown(String, 'What the secret is called in the container.', { nullable: true })
  name: string | null;

  @Shown(String, "The secret's address.")
  secret_ref: string;
}

class ContainerConsumer {
  @Shown(String, 'What uses it.')
  name: string;

  @Shown(String, 'The address of what uses it.')
  URL: string;
}

export class ContainerView {
  @Shown<Container>(String, 'Its address.', { from: ({ id }, ctx) => containerRef(ctx, id) })
  container_ref: string;

  @Shown(String, 'Its name.', { nullable: true })
  name: string | null;

  @Shown(String, 'What it holds.', { enum: CONTAINER_TYPES })
  type: ContainerType;

  @Shown(String, 'Whether it can be used.', { enum: ['ACTIVE'], from: () => 'ACTIVE' })
  status: string;

  @Shown(String, 'The user who made it.')
  creator_id: string;

  @Shown<Container>(String, 'When it came to be, in UTC.', { from: ({ createdAt }) => createdAt })
  created: string;

  @Shown<Container>(String, 'When it last changed, in UTC.', { from: ({ updatedAt }) => updatedAt })
  updated: string;

  @Shown<Container>([() => NamedSecretRef], 'Its secrets.', {
    from: ({ secrets }, ctx) =>
      secrets.map(({ name, secretId }) => ({
        name: name === '' ? null : name,
        secret_ref: secretRef(ctx, secretId),
      })),
  })
  secret_refs: NamedSecretRef[];

  @Shown([() => ContainerConsumer], 'What uses it.')
  consumers: ContainerConsumer[];
}

export const ContainerPage = pageClass('containers', ContainerView);

export class ContainerRefView {
  @Shown(String, "The container's address.")
  container_ref: string;
}

export function containerView(ctx: RequestContext): (container: Container) => ContainerView {
  return viewIn<Container, ContainerView>(ctx, ContainerView, zonelessTime);
}

/** @throws InvalidInputError for an address of anything else */
export function containedSecret(
  ctx: RequestContext,
  { name, secret_ref: ref }: SecretRefDto,
): ContainedSecret {
  return { name: name ?? '', secretId: secretIdOf<SecretId>(ctx, ref) };
}
