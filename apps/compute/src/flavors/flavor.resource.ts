/** Public source: Nova API reference, "Flavors (flavors)". */
import { applyDecorators } from '@nestjs/common';
import { Check, Entity, ForeignKey, Index, Unique } from 'typeorm';
import {
  BooleanField,
  CheckedField,
  EnumField,
  IntegerField,
  StringField,
} from '@cumulet/common/http/fields';
import { allUnder } from '@cumulet/common/http/answers';
import { AdditionalProperties, answerClass, Shown } from '@cumulet/common/http/shown';
import { internal, shownOnly } from '@cumulet/common/resources/attribute';
import { answerOf, pick, rowOf } from '@cumulet/common/resources/classes';
import {
  flag,
  integer,
  json,
  orNull,
  text,
  type FieldType,
} from '@cumulet/common/resources/field-type';
import { compares } from '@cumulet/common/tables/condition';
import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import { bodyUnder, NOT_BLANK } from '../http/fields.js';
import { instant } from '../http/times.js';
import { Link, linksOf } from '../http/pages.js';

const factor: FieldType<number> = { ...integer(), shape: Number, column: { type: 'real' } };
const NOW = { default: () => 'now()' };

const FLAVOR = {
  /** Nova's flavorid: any text, such as `1` for m1.tiny. */
  id: shownOnly(text(), {
    about: 'The ID of the flavor.',
    column: { primary: true, primaryKeyConstraintName: 'flavors_pkey' },
  }),
  /** Refers to it in migrations. */
  number: internal(integer(), { generated: 'increment' }),
  name: shownOnly(text(), { about: 'The name, unique among all flavors.' }),
  description: shownOnly(orNull(text()), {
    about: 'A description.',
    versions: { since: 55 },
  }),
  memoryMb: shownOnly(integer(), { about: 'The memory in MiB.', wire: 'ram' }),
  diskGb: shownOnly(integer(), {
    about: 'The size of the root disk in GiB; 0 for as large as the image.',
    wire: 'disk',
  }),
  vcpus: shownOnly(integer(), { about: 'The number of virtual CPUs.' }),
  swapMb: shownOnly(integer(), {
    about: 'The swap space in MiB.',
    wire: 'swap',
    column: { default: 0 },
  }),
  rxtxFactor: shownOnly(factor, {
    about: 'Without effect.',
    versions: { until: 101 },
    column: { default: 1 },
  }),
  ephemeralGb: shownOnly(integer(), {
    about: 'The size of the ephemeral disk in GiB.',
    wire: 'OS-FLV-EXT-DATA:ephemeral',
    column: { default: 0 },
  }),
  /** A private flavor is usable by administrators and the projects in `flavor_projects`. */
  isPublic: shownOnly(flag(), {
    about: 'Whether every project can use the flavor.',
    wire: 'os-flavor-access:is_public',
    column: { default: true },
  }),
  extraSpecs: shownOnly(json<Readonly<Record<string, string>>>(), {
    about: 'The extra specs.',
    column: { default: {} },
  }),
  createdAt: internal(instant, NOW),
  updatedAt: internal(instant, NOW),
} as const;

@Entity('flavors')
@Index('flavors_name_key', ['name'], { unique: true })
@Unique('flavors_number_key', ['number'])
@Check('flavors_sizes_check', 'vcpus > 0 AND memory_mb > 0 AND disk_gb >= 0')
@Check('flavors_further_disks_check', 'ephemeral_gb >= 0 AND swap_mb >= 0')
export class Flavor extends rowOf(FLAVOR) {}

const ACCESS_KEY = { primary: true, primaryKeyConstraintName: 'flavor_projects_pkey' };

const FLAVOR_PROJECT = {
  flavorId: shownOnly(text(), { about: 'The ID of the flavor.', column: ACCESS_KEY }),
  projectId: shownOnly(text(), {
    about: 'The ID of a project that can use the flavor.',
    wire: 'tenant_id',
    column: ACCESS_KEY,
  }),
} as const;

/** A project that can use a private flavor. */
@Entity('flavor_projects')
@Index('flavor_projects_project_idx', ['projectId'])
@ForeignKey(() => Flavor, ['flavorId'], ['id'], {
  name: 'flavor_projects_flavor_fkey',
  onDelete: 'CASCADE',
})
export class FlavorProject extends rowOf(FLAVOR_PROJECT) {}

const links = Shown<Flavor>([() => Link], 'The addresses of the flavor.', {
  from: (row, ctx) => linksOf('flavors', row, ctx),
});

export class FlavorSummary extends answerOf(pick(FLAVOR, ['id', 'name', 'description']), {
  links,
}) {}

const SPECS = { additionalProperties: { type: 'string' } } as const;

export class FlavorView extends answerOf(FLAVOR, {
  links,
  swap: applyDecorators(
    Shown<Flavor>('integer', 'The swap space in MiB.', { since: 75, from: ({ swapMb }) => swapMb }),
    Shown<Flavor>(String, 'The swap space in MiB; empty for none.', {
      until: 74,
      from: ({ swapMb }) => (swapMb === 0 ? '' : swapMb),
      schema: { type: ['string', 'integer'] as never },
    }),
  ),
  'OS-FLV-DISABLED:disabled': Shown(Boolean, 'Always false.', { until: 101, from: () => false }),
  extra_specs: Shown<Flavor>(Object, FLAVOR.extraSpecs.about, {
    since: 61,
    from: ({ extraSpecs }) => extraSpecs,
    schema: SPECS,
  }),
}) {}

export const ExtraSpecs = answerClass('ExtraSpecs', {
  extra_specs: Shown(Object, FLAVOR.extraSpecs.about, { schema: SPECS }),
});

/** `{"hw:cpu_sockets": "2"}` */
@AdditionalProperties(String)
export class ExtraSpec {}

export class FlavorAccess extends answerOf(FLAVOR_PROJECT) {}

export const FlavorAccessList = allUnder(
  'flavor_access',
  FlavorAccess,
  'The projects that can use the flavor.',
);

/** For sort keys in which all flavors are equal; a plain number would be a column's position. */
const CONSTANT = { sql: 'vcpus * 0' };

const SORT_KEYS = {
  created_at: 'createdAt',
  description: { sql: `COALESCE(description, '')` },
  disabled: CONSTANT,
  ephemeral_gb: 'ephemeralGb',
  flavorid: 'id',
  id: 'id',
  is_public: 'isPublic',
  memory_mb: 'memoryMb',
  name: 'name',
  root_gb: 'diskGb',
  rxtx_factor: 'rxtxFactor',
  swap: 'swapMb',
  updated_at: 'updatedAt',
  vcpu_weight: CONSTANT,
  vcpus: 'vcpus',
};

@SortedBy(['id'], SORT_KEYS)
export class ListFlavorsQuery {
  @IntegerField({ optional: true, fromText: true, max: 1000 })
  limit?: number;

  @StringField({ optional: true })
  marker?: string;

  @EnumField(Object.keys(SORT_KEYS), { optional: true })
  sort_key?: string;

  @EnumField(['asc', 'desc'], { optional: true })
  sort_dir: 'asc' | 'desc' = 'asc';

  @StringField({ optional: true, description: 'A regular expression; since 2.102.' })
  name?: string;

  @FilteredBy((gib: number) => compares('diskGb', 'gte', gib))
  @IntegerField({ optional: true, fromText: true })
  minDisk?: number;

  @FilteredBy((mib: number) => compares('memoryMb', 'gte', mib))
  @IntegerField({ optional: true, fromText: true })
  minRam?: number;

  @CheckedField(
    (value) => isPublicOf(value) !== undefined,
    "must be a boolean, or 'none' for both",
    { type: 'string' },
    {
      optional: true,
      description: 'Only for administrators, who by default see public flavors and their own.',
    },
  )
  is_public?: string;
}

const WORDS: readonly (readonly [boolean | null, readonly string[]])[] = [
  [true, ['true', '1', 'yes', 'on', 't', 'y']],
  [false, ['false', '0', 'no', 'off', 'f', 'n']],
  [null, ['none']],
];

/** @returns null for public and private flavors, undefined for an unknown word */
export function isPublicOf(value: unknown): boolean | null | undefined {
  if (typeof value !== 'string') return undefined;
  return WORDS.find(([, words]) => words.includes(value.toLowerCase()))?.[0];
}

const DESCRIPTION = {
  nullable: true,
  min: 0,
  max: 65_535,
  pattern: /^[^\p{Cc}\p{Cs}]*(?:[\n\t\r][^\p{Cc}\p{Cs}]*)*$/u,
  patternText: 'must hold printable characters',
};

export class CreateFlavorDto {
  @StringField(NOT_BLANK)
  name: string;

  @CheckedField(
    isFlavorId,
    'must be 1 to 255 letters, digits, spaces, dots, dashes or underscores, without a space at either end',
    { oneOf: [{ type: 'string', maxLength: 255 }, { type: 'number' }] },
    { optional: true, nullable: true, description: 'The ID; by default, one is generated.' },
  )
  id?: string | number | null;

  @IntegerField({ min: 1, fromText: true, description: 'The memory in MiB.' })
  ram: number;

  @IntegerField({ min: 1, fromText: true })
  vcpus: number;

  @IntegerField({ fromText: true, description: FLAVOR.diskGb.about })
  disk: number;

  @IntegerField({ optional: true, fromText: true, description: FLAVOR.ephemeralGb.about })
  'OS-FLV-EXT-DATA:ephemeral'?: number;

  @IntegerField({ optional: true, fromText: true, description: FLAVOR.swapMb.about })
  swap?: number;

  @CheckedField(
    isFactor,
    'must be a positive number',
    { oneOf: [{ type: 'number' }, { type: 'string' }] },
    { optional: true, description: 'Without effect.' },
  )
  rxtx_factor?: number | string;

  @BooleanField({ optional: true, fromText: true })
  'os-flavor-access:is_public'?: boolean;

  @StringField({ ...DESCRIPTION, optional: true, description: 'Since 2.55.' })
  description?: string | null;
}

export class CreateFlavorBody extends bodyUnder('flavor', CreateFlavorDto) {}

class UpdateFlavorDto {
  @StringField(DESCRIPTION)
  description: string | null;
}

export class UpdateFlavorBody extends bodyUnder('flavor', UpdateFlavorDto) {}

function isFlavorId(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' && /^(?! )[a-zA-Z0-9. _-]{1,255}(?<! )$/.test(value);
}

/** Up to the largest number in single precision. */
function isFactor(value: unknown): boolean {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value));
  return isNumber && Number(value) > 0 && Number(value) <= 3.40282e38;
}

const DECIMAL = /^[0-9]{1,39}(\.[0-9]{1,39})?$/;
