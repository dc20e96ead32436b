import { Shown, viewIn } from '@cumulet/common/http/shown';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { secretRef } from '../http/refs.js';
import { pageClass } from '../http/pages.js';
import { zonelessTime } from '../http/time.js';
import { SECRET_TYPES, type Secret, type ShownConsumer } from './secret.entity.js';

export class SecretConsumer {
  @Shown(String, 'The type of the service that uses it.')
  service: string;

  @Shown(String, 'The type of what uses it there.')
  resource_type: string;

  @Shown(String, 'The id of what uses it there.')
  resource_id: string;
}

export class ContentTypes {
  @Shown(String, 'The type that the payload was given with.')
  default: string;
}

export class SecretView {
  @Shown<Secret>(String, 'Its address.', { from: ({ id }, ctx) => secretRef(ctx, id) })
  secret_ref: string;

  @Shown(String, 'Its name.', { nullable: true })
  name: string | null;

  @Shown(String, 'What it is.', { enum: SECRET_TYPES })
  secret_type: string;

  @Shown(String, 'Whether it can be used.', { enum: ['ACTIVE'], from: () => 'ACTIVE' })
  status: string;

  @Shown<Secret>(() => ContentTypes, 'The types of its payload, where it has one.', {
    optional: true,
    from: ({ contentType }) => (contentType === null ? undefined : { default: contentType }),
  })
  content_types?: ContentTypes;

  @Shown(String, 'For information.', { nullable: true })
  algorithm: string | null;

  @Shown('integer', 'For information.', { nullable: true })
  bit_length: number | null;

  @Shown(String, 'For information.', { nullable: true })
  mode: string | null;

  @Shown(String, 'When it ceases to exist, in UTC.', { nullable: true })
  expiration: string | null;

  @Shown(String, 'The user who made it.')
  creator_id: string;

  @Shown<Secret>(String, 'When it came to be, in UTC.', { from: ({ createdAt }) => createdAt })
  created: string;

  @Shown<Secret>(String, 'When it last changed, in UTC.', { from: ({ updatedAt }) => updatedAt })
  updated: string;

  @Shown([() => SecretConsumer], 'What uses it.', { since: 1, major: 1 })
  consumers?: readonly ShownConsumer[];
}

export const SecretPage = pageClass('secrets', SecretView);

export class SecretRefView {
  @Shown(String, "The secret's address.")
  secret_ref: string;
}

export function secretView(ctx: RequestContext): (secret: Secret) => SecretView {
  return viewIn<Secret, SecretView>(ctx, SecretView, zonelessTime);
}
