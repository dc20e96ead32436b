/** Public source: Nova API reference, "Host aggregates (os-aggregates)". */
import { Entity, ForeignKey, Index, Unique } from 'typeorm';
import { isStorable } from '@cumulet/common/database/storable';
import {
  CheckedField,
  ListField,
  ObjectField,
  StringField,
  UuidField,
} from '@cumulet/common/http/fields';
import { allUnder } from '@cumulet/common/http/answers';
import { Shown } from '@cumulet/common/http/shown';
import { internal, shownOnly } from '@cumulet/common/resources/attribute';
import { answerOf, rowOf } from '@cumulet/common/resources/classes';
import { id, integer, json, orNull, text, texts } from '@cumulet/common/resources/field-type';
import { Host } from '../hosts/host.entity.js';
import { bodyUnder, HOST_NAME, NOT_BLANK, TRIMMED } from '../http/fields.js';
import { zonelessInstant } from '../http/times.js';

const CREATED = {
  id: shownOnly(integer(), {
    about: 'The ID of the aggregate.',
    column: {
      primary: true,
      primaryKeyConstraintName: 'aggregates_pkey',
      generated: 'increment',
    },
  }),
  uuid: shownOnly(id(), {
    about: 'The UUID of the aggregate, which other services use.',
    versions: { since: 41 },
  }),
  name: shownOnly(text(), { about: 'The name of the aggregate.' }),
  zone: shownOnly(orNull(text()), {
    about: 'The availability zone of the hosts; it is shown among the metadata, too.',
    wire: 'availability_zone',
  }),
  createdAt: shownOnly(zonelessInstant, {
    about: 'When the aggregate was created.',
    column: { default: () => 'now()' },
  }),
  updatedAt: shownOnly(orNull(zonelessInstant), { about: 'When the aggregate was last changed.' }),
} as const;

const AGGREGATE = {
  ...CREATED,
  hosts: shownOnly(texts, {
    about: 'The names of the hosts.',
    virtual: () =>
      'ARRAY(SELECT host FROM aggregate_hosts WHERE aggregate_id = aggregates.id ORDER BY host)',
  }),
  /** Without the availability zone. */
  metadata: shownOnly(json<Record<string, string>>(), {
    about: 'The metadata of the hosts, including the availability zone.',
    column: { default: () => `'{}'` },
  }),
} as const;

/** Hosts that share metadata or an availability zone. */
@Entity('aggregates')
@Unique('aggregates_name_key', ['name'])
export class Aggregate extends rowOf(AGGREGATE) {}

const MEMBER_KEY = { primary: true, primaryKeyConstraintName: 'aggregate_hosts_pkey' };

@Entity('aggregate_hosts')
@Index('aggregate_hosts_host_idx', ['host'])
@ForeignKey(() => Aggregate, ['aggregateId'], ['id'], { name: 'aggregate_hosts_aggregate_fkey' })
@ForeignKey(() => Host, ['host'], ['name'], {
  name: 'aggregate_hosts_host_fkey',
  onDelete: 'CASCADE',
})
export class AggregateHost extends rowOf({
  aggregateId: internal(integer(), MEMBER_KEY),
  host: internal(text(), MEMBER_KEY),
}) {}

const DELETED = {
  deleted: Shown(Boolean, 'Always false.', { from: () => false }),
  deleted_at: Shown(String, 'Always null.', { nullable: true, from: () => null }),
};

export class CreatedAggregate extends answerOf(CREATED, DELETED) {}

export class AggregateView extends answerOf(AGGREGATE, {
  ...DELETED,
  metadata: Shown<Aggregate>(Object, AGGREGATE.metadata.about, {
    schema: { additionalProperties: { type: 'string' } },
    from: ({ metadata, zone }) => ({
      ...metadata,
      ...(zone === null ? {} : { availability_zone: zone }),
    }),
  }),
}) {}

export const AggregateList = allUnder('aggregates', AggregateView);

const ZONE = {
  optional: true,
  nullable: true,
  pattern: /^(?=\S)[^:\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+(?<=\S)$/u,
  patternText: "must hold printable characters except ':', without a space at either end",
};

export class CreateAggregateDto {
  @StringField(TRIMMED)
  name: string;

  @StringField(ZONE)
  availability_zone?: string | null;
}

export class CreateAggregateBody extends bodyUnder('aggregate', CreateAggregateDto) {}

export class UpdateAggregateDto {
  @StringField({ ...NOT_BLANK, optional: true })
  name?: string;

  @StringField(ZONE)
  availability_zone?: string | null;
}

export class UpdateAggregateBody extends bodyUnder('aggregate', UpdateAggregateDto) {}

class HostDto {
  @StringField(HOST_NAME)
  host: string;
}

class MetadataDto {
  @CheckedField(
    isMetadata,
    'must be an object of strings of at most 255 characters, or null to remove an item, with keys of at most 255 letters, digits and -_:. characters',
    { type: 'object', additionalProperties: { type: 'string', nullable: true } },
  )
  metadata: Record<string, string | null>;
}

/** Exactly one of the three. */
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
