/** Secrets on the wire. Public source: Key Manager API reference, "Secrets API". */
import {
  BooleanField,
  CheckedField,
  EnumField,
  IntegerField,
  StringField,
  UnsupportedField,
} from '@cumulet/common/http/fields';
import { IgnoresOthers } from '@cumulet/common/http/read-dto';
import { FilteredBy } from '@cumulet/common/tables/listing';
import { equals } from '@cumulet/common/tables/condition';
import { PageQuery } from '../http/pages.js';
import { timeOf } from '../http/time.js';
import { isDateFilter, matchesDates, similar } from './secret.filters.js';
import { SECRET_TYPES, type SecretType } from './secret.entity.js';

const MAX_BITS = 32_767;

@IgnoresOthers()
export class NewSecretDto {
  @StringField({ optional: true, nullable: true, min: 0 })
  name?: string | null;

  @EnumField(SECRET_TYPES, { optional: true, description: 'What it is; opaque by default.' })
  secret_type?: SecretType;

  @StringField({ optional: true, min: 0, description: 'For information alone.' })
  algorithm?: string;

  @IntegerField({ optional: true, min: 1, max: MAX_BITS, description: 'For information alone.' })
  bit_length?: number;

  @StringField({ optional: true, min: 0, description: 'For information alone.' })
  mode?: string;

  @CheckedField(
    (value) => typeof value === 'string' && (value.trim() === '' || timeOf(value) !== undefined),
    'must be a time in ISO 8601',
    { type: 'string', maxLength: 255 },
    { optional: true, description: 'From then on, it does not exist; in UTC by default.' },
  )
  expiration?: string;

  @CheckedField(
    (value) => typeof value === 'string',
    'must be a string',
    { type: 'string' },
    { optional: true, description: 'A text, or other bytes in base64.' },
  )
  payload?: string;

  @StringField({ optional: true, nullable: true, description: 'Required beside a payload.' })
  payload_content_type?: string | null;

  @EnumField(['base64'], { optional: true, description: 'Required for what is not a text.' })
  payload_content_encoding?: string;

  @EnumField(['false'], { optional: true, description: 'There are no transport keys.' })
  transport_key_needed?: string;

  @UnsupportedField('there are no transport keys')
  transport_key_id?: string;
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
        description: 'A time, or several that it is compared with: gte:2030-01-01.',
      },
    )(prototype, key);
  };
}

export class ListSecretsQuery extends PageQuery {
  @FilteredBy((name: string) => similar('name', name))
  @StringField({ optional: true, min: 0, description: 'Its name; % stands for any text.' })
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
    description: 'Those of any project whose ACL names the caller.',
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
    description: 'Since 1.2, what a secret that has consumers is deleted with.',
  })
  force?: boolean;
}
