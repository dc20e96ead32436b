/** Requests about flavors. Public source: Nova API reference, "Flavors (flavors)". */
import {
  BooleanField,
  CheckedField,
  EnumField,
  IntegerField,
  ObjectField,
  StringField,
} from '@cumulet/common/http/fields';
import { compares } from '@cumulet/common/tables/condition';
import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';

/** What every flavor has alike sorts nothing; a plain number would be a column's position. */
const ALIKE = { sql: 'vcpus * 0' };

const SORT_KEYS = {
  created_at: 'createdAt',
  description: { sql: `COALESCE(description, '')` },
  disabled: ALIKE,
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
  vcpu_weight: ALIKE,
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
    'must be a boolean, or none for both',
    { type: 'string' },
    { optional: true, description: 'Of effect for administrators, who by default see their own.' },
  )
  is_public?: string;
}

const WORDS: readonly (readonly [boolean | null, readonly string[]])[] = [
  [true, ['true', '1', 'yes', 'on', 't', 'y']],
  [false, ['false', '0', 'no', 'off', 'f', 'n']],
  [null, ['none']],
];

/** What a list is limited to; null for both. @returns undefined for another word */
export function isPublicOf(value: unknown): boolean | null | undefined {
  if (typeof value !== 'string') return undefined;
  return WORDS.find(([, words]) => words.includes(value.toLowerCase()))?.[0];
}

const DESCRIPTION = {
  optional: true,
  nullable: true,
  min: 0,
  max: 65_535,
  pattern: /^[^\p{Cc}\p{Cs}]*(?:[\n\t\r][^\p{Cc}\p{Cs}]*)*$/u,
  patternText: 'must hold printable characters',
};

export class CreateFlavorDto {
  @StringField({
    pattern: /^(?=.*\S)[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u,
    patternText: 'must hold printable characters, and not be blank',
  })
  name: string;

  @CheckedField(
    isFlavorId,
    'must be 1 to 255 letters, digits, spaces, dots, dashes or underscores, without a space at either end',
    { oneOf: [{ type: 'string', maxLength: 255 }, { type: 'number' }] },
    { optional: true, nullable: true, description: 'By default one is chosen.' },
  )
  id?: string | number | null;

  @IntegerField({ min: 1, fromText: true, description: 'MiB.' })
  ram: number;

  @IntegerField({ min: 1, fromText: true })
  vcpus: number;

  @IntegerField({ fromText: true, description: 'GiB; 0 for as large as the image.' })
  disk: number;

  @IntegerField({ optional: true, fromText: true, description: 'GiB.' })
  'OS-FLV-EXT-DATA:ephemeral'?: number;

  @IntegerField({ optional: true, fromText: true, description: 'MiB.' })
  swap?: number;

  @CheckedField(
    isFactor,
    'must be a positive number',
    { oneOf: [{ type: 'number' }, { type: 'string' }] },
    { optional: true, description: 'Of no effect.' },
  )
  rxtx_factor?: number | string;

  @BooleanField({ optional: true, fromText: true })
  'os-flavor-access:is_public'?: boolean;

  @StringField({ ...DESCRIPTION, description: 'Since 2.55.' })
  description?: string | null;
}

export class CreateFlavorBody {
  @ObjectField(() => CreateFlavorDto)
  flavor: CreateFlavorDto;
}

class UpdateFlavorDto {
  @StringField({ ...DESCRIPTION, optional: false })
  description: string | null;
}

export class UpdateFlavorBody {
  @ObjectField(() => UpdateFlavorDto)
  flavor: UpdateFlavorDto;
}

function isFlavorId(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' && /^(?! )[a-zA-Z0-9. _-]{1,255}(?<! )$/.test(value);
}

/** Up to the largest that single precision holds. */
function isFactor(value: unknown): boolean {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value));
  return isNumber && Number(value) > 0 && Number(value) <= 3.40282e38;
}

const DECIMAL = /^[0-9]{1,39}(\.[0-9]{1,39})?$/;
