/** Public source: Key Manager API reference, "Secrets API". */
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { isUuid, type Id } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  BooleanField,
  CheckedField,
  EnumField,
  IntegerField,
  StringField,
  UnsupportedField,
} from '@cumulet/common/http/fields';
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
import { choice, integer, json, orNull, orUnset, text } from '@cumulet/common/resources/field-type';
import { equals, rowOf, type Condition } from '@cumulet/common/tables/condition';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { Table } from '@cumulet/common/tables/table';
import { requireAllowed, visible } from '../access/access.js';
import { OWNED, OwnedColumns, time } from '../access/owned.js';
import type { PolicyName } from '../access/policy.js';
import { pageClass, PageQuery } from '../http/pages.js';
import { secretRef } from '../http/refs.js';
import { timeOf, zonelessTime } from '../http/time.js';
import type { ContentType } from './payloads/content-types.js';
import { SecretNotFoundError } from './secret.errors.js';
import { isDateFilter, matchesDates, similar } from './secret.filters.js';

export type SecretId = Id<'Secret'>;

export const SECRET_TYPES = [
  'symmetric',
  'public',
  'private',
  'passphrase',
  'certificate',
  'opaque',
] as const;
export type SecretType = (typeof SECRET_TYPES)[number];

const MAX_BITS = 32_767;

export const CONSUMER = {
  service: attribute(text(), {
    about: 'The type of the service of the consumer: load-balancer.',
    required: true,
  }),
  resourceType: attribute(text(), {
    about: 'The type of the resource that uses the secret: listener.',
    required: true,
  }),
  resourceId: attribute(text(), {
    about: 'The ID of the resource that uses the secret.',
    required: true,
  }),
} as const;

export class SecretConsumer extends answerOf(CONSUMER) {}

const information = 'Information for clients, without a meaning for the service.';

const SECRET = {
  ...OWNED,
  secretType: attribute(choice(SECRET_TYPES), {
    about: 'The type of the secret; opaque by default.',
    default: 'opaque',
    column: { default: undefined },
  }),
  algorithm: attribute(orUnset(text({ min: 0 })), { about: information }),
  bitLength: attribute(orUnset(integer({ min: 1, max: MAX_BITS })), { about: information }),
  mode: attribute(orUnset(text({ min: 0 })), { about: information }),
  expiration: shownOnly(orNull(time), { about: 'When the secret expires, in UTC.' }),
  consumers: shownOnly(json<readonly object[]>([() => SecretConsumer]), {
    about: 'The consumers of the secret.',
    versions: { since: 1, major: 1 },
    column: { type: 'json' },
    virtual: (table) =>
      `SELECT COALESCE(json_agg(json_build_object('service', service,
                'resource_type', resource_type, 'resource_id', resource_id)
              ORDER BY secret_consumers.created_at, secret_consumers.id), '[]')
         FROM secret_consumers WHERE secret_id = ${table}.id`,
  }),
} as const;

@Entity('secrets')
@Index('secrets_project_id_created_at', ['projectId', 'createdAt', 'id'])
@Index('secrets_expiration', ['expiration'], { where: 'expiration IS NOT NULL' })
@Index('secrets_acl_users', { synchronize: false })
@Check(
  'secrets_secret_type_check',
  `secret_type IN ('symmetric', 'public', 'private', 'passphrase', 'certificate', 'opaque')`,
)
export class Secret extends columnsOf(SECRET, OwnedColumns) {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'secrets_pkey' })
  id: SecretId;

  /** Null without a payload. */
  @Column('text', { name: 'content_type', nullable: true })
  contentType: ContentType | null;

  /** The client's own metadata, by key. */
  @Column('jsonb', { name: 'user_metadata', default: () => "'{}'" })
  userMetadata: Readonly<Record<string, string>>;
}

/** Secrets that have not expired. */
export const isAlive: Condition = (_, column) =>
  `${column('expiration')} IS NULL OR ${column('expiration')} > now()`;

class Secrets extends Table<Secret> {
  /**
   * The secret, if the policy allows the operation.
   * @throws SecretNotFoundError if the caller may not know of it, otherwise ForbiddenError
   */
  async permitted(ctx: RequestContext, id: SecretId, operation: PolicyName): Promise<Secret> {
    if (!isUuid(id)) throw new SecretNotFoundError(id);
    const secret = await this.get(ctx, id, [isAlive, ...visible(ctx)]);
    requireAllowed(ctx, secret, operation, `secret ${id}`);
    return secret;
  }

  /** The same, locked until the transaction ends. */
  async held(tx: RequestContext, id: SecretId, operation: PolicyName): Promise<Secret> {
    await this.permitted(tx, id, operation);
    return this.lock(tx, id);
  }
}

export const secrets = new Secrets(Secret, {
  missing: (key) => new SecretNotFoundError(rowOf(key).id ?? ''),
  touched: 'updatedAt',
});

@IgnoresOthers()
export class NewSecretDto extends bodyOf(SECRET) {
  @CheckedField(
    (value) => typeof value === 'string' && (value.trim() === '' || timeOf(value) !== undefined),
    'must be a time in ISO 8601',
    { type: 'string', maxLength: 255 },
    { optional: true, description: 'When the secret expires; in UTC unless a zone is given.' },
  )
  expiration?: string;

  @CheckedField(
    (value) => typeof value === 'string',
    'must be a string',
    { type: 'string' },
    { optional: true, description: 'The payload: text, or bytes in base64.' },
  )
  payload?: string;

  @StringField({ optional: true, nullable: true, description: 'Required with a payload.' })
  payload_content_type?: string | null;

  @EnumField(['base64'], { optional: true, description: 'Required unless the payload is a text.' })
  payload_content_encoding?: string;

  @EnumField(['false'], { optional: true, description: 'There are no transport keys.' })
  transport_key_needed?: string;

  @UnsupportedField('there are no transport keys')
  transport_key_id?: string;
}

export function secretGiven(dto: NewSecretDto): GivenColumns<typeof SECRET> {
  return columnsGiven(SECRET, dto);
}

function DateFilter(): PropertyDecorator {
  return (prototype, key) => {
    const property = { created: 'createdAt', updated: 'updatedAt' }[String(key)] ?? String(key);
    FilteredBy((text: string) => matchesDates(property, text))(prototype, key);
    CheckedField(
      isDateFilter,
      'must be times in ISO 8601, separated by commas, each after gt:, gte:, lt:, lte: or nothing',
      { type: 'string' },
      {
        optional: true,
        description: 'A time, or comparisons with times: gte:2030-01-01,lt:2030-02-01.',
      },
    )(prototype, key);
  };
}

export class ListSecretsQuery extends PageQuery {
  @FilteredBy((name: string) => similar('name', name))
  @StringField({ optional: true, min: 0, description: 'The name; % stands for any text.' })
  name?: string;

  @FilteredBy((algorithm: string) => similar('algorithm', algorithm))
  @StringField({ optional: true, min: 0 })
  alg?: string;

  @FilteredBy((mode: string) => similar('mode', mode))
  @StringField({ optional: true, min: 0 })
  mode?: string;

  /** 0 is any, as in Barbican. */
  @FilteredBy((bits: number) => (bits === 0 ? undefined : equals('bitLength', bits)))
  @IntegerField({ optional: true, fromText: true })
  bits?: number;

  @FilteredBy()
  @EnumField(SECRET_TYPES, { optional: true })
  secret_type?: SecretType;

  @BooleanField({
    optional: true,
    fromText: true,
    description: 'Whether to list secrets, of any project, whose ACL names the caller.',
  })
  acl_only?: boolean;

  @DateFilter()
  created?: string;

  @DateFilter()
  updated?: string;

  @DateFilter()
  expiration?: string;

  @StringField({
    optional: true,
    min: 0,
    description: 'Keys, separated by commas, each with :asc or :desc.',
  })
  sort?: string;
}

export class DeleteSecretQuery {
  @BooleanField({
    optional: true,
    fromText: true,
    description: 'Since 1.2, whether to delete a secret that has consumers.',
  })
  force?: boolean;
}

const ContentTypes = answerClass('ContentTypes', {
  default: Shown(String, 'The type with which the payload was stored.'),
});

export class SecretView extends answerOf(SECRET, {
  secret_ref: Shown<Secret>(String, 'The URL of the secret.', {
    from: (row, ctx) => secretRef(ctx, row.id),
  }),
  status: Shown(String, 'Always ACTIVE.', { enum: ['ACTIVE'], from: () => 'ACTIVE' }),
  content_types: Shown<Secret>(() => ContentTypes, 'The types of the payload, if there is one.', {
    optional: true,
    from: ({ contentType }) => (contentType === null ? undefined : { default: contentType }),
  }),
}) {}

export const SecretPage = pageClass('secrets', SecretView);

export const SecretRefView = answerClass('SecretRefView', {
  secret_ref: Shown(String, 'The URL of the secret.'),
});

export function secretView(ctx: RequestContext): (secret: Secret) => object {
  return viewIn<Secret, object>(ctx, SecretView, zonelessTime);
}
