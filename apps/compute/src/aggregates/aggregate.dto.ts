/** Aggregates on the wire. Public source: Nova API reference, "Host aggregates (os-aggregates)". */
import { isStorable } from '@cumulet/common/database/storable';
import {
  CheckedField,
  ListField,
  ObjectField,
  StringField,
  UuidField,
} from '@cumulet/common/http/fields';
import { answerClass, Shown } from '@cumulet/common/http/shown';
import { zonelessTime } from '../http/times.js';
import type { Aggregate } from './aggregate.entity.js';

const ZONE = {
  optional: true,
  nullable: true,
  pattern: /^(?=\S)[^:\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+(?<=\S)$/u,
  patternText: "must hold printable characters except ':', without a space at either end",
};

export class CreateAggregateDto {
  @StringField({
    pattern: /^(?=\S)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+(?<=\S)$/u,
    patternText: 'must hold printable characters, without a space at either end',
  })
  name: string;

  @StringField(ZONE)
  availability_zone?: string | null;
}

export class CreateAggregateBody {
  @ObjectField(() => CreateAggregateDto)
  aggregate: CreateAggregateDto;
}

export class UpdateAggregateDto {
  @StringField({
    optional: true,
    pattern: /^(?=.*\S)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u,
    patternText: 'must hold printable characters, and not be blank',
  })
  name?: string;

  @StringField(ZONE)
  availability_zone?: string | null;
}

export class UpdateAggregateBody {
  @ObjectField(() => UpdateAggregateDto)
  aggregate: UpdateAggregateDto;
}

class HostDto {
  @StringField({
    pattern: /^[a-zA-Z0-9-._]*$/,
    patternText: "must hold letters, digits, '-', '.' and '_' alone",
  })
  host: string;
}

class MetadataDto {
  @CheckedField(
    isMetadata,
    'must be an object with names of at most 255 letters, digits and -_:. and with texts of at most 255 characters, or null for what is to be removed',
    { type: 'object', additionalProperties: { type: 'string', nullable: true } },
  )
  metadata: Record<string, string | null>;
}

/** One of them. */
export class AggregateActionBody {
  @ObjectField(() => HostDto, { optional: true })
  add_host?: HostDto;

  @ObjectField(() => HostDto, { optional: true })
  remove_host?: HostDto;

  @ObjectField(() => MetadataDto, { optional: true })
  set_metadata?: MetadataDto;
}

class ImageToCacheDto {
  @UuidField()
  id: string;
}

export class CacheImagesBody {
  @ListField(() => ImageToCacheDto, { minItems: 1 })
  cache: ImageToCacheDto[];
}

function isMetadata(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value as Record<string, unknown>);
  return (
    entries.length <= 1000 &&
    entries.every(
      ([name, text]) =>
        /^[a-zA-Z0-9-_:. ]{1,255}$/.test(name) &&
        (text === null || (typeof text === 'string' && text.length <= 255 && isStorable(text))),
    )
  );
}

/** What a create answers. */
export class CreatedAggregate {
  @Shown('integer', 'Its id.')
  id: number;

  @Shown(String, 'Its id in other services.', { since: 41 })
  uuid?: string;

  @Shown(String, 'Its name.')
  name: string;

  @Shown<Aggregate>(String, 'The zone that its hosts are in.', {
    nullable: true,
    from: ({ zone }) => zone,
  })
  availability_zone: string | null;

  @Shown<Aggregate>(String, 'When it was created.', { from: (row) => zonelessTime(row.createdAt) })
  created_at: string;

  @Shown<Aggregate>(String, 'When it was last changed.', {
    nullable: true,
    from: (row) => row.updatedAt && zonelessTime(row.updatedAt),
  })
  updated_at: string | null;

  @Shown(Boolean, 'Always false.', { from: () => false })
  deleted: boolean;

  @Shown(String, 'Always null.', { nullable: true, from: () => null })
  deleted_at: null;
}

export class AggregateView extends CreatedAggregate {
  @Shown([String], 'Its hosts.')
  hosts: string[];

  @Shown<Aggregate>(Object, 'What its hosts have in common.', {
    schema: { additionalProperties: { type: 'string' } },
    from: ({ metadata, zone }) => ({
      ...metadata,
      ...(zone === null ? {} : { availability_zone: zone }),
    }),
  })
  metadata: object;
}

export const AggregateList = answerClass('AggregateList', {
  aggregates: Shown([() => AggregateView], 'The aggregates.'),
});
