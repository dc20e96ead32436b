/** Flavors on the wire. Public source: Nova API reference, "Flavors (flavors)". */
import { EnumField, IntegerField, StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { compares } from '@cumulet/common/tables/condition';
import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import { Link, linksOf } from '../http/pages.js';
import type { Flavor } from './flavor.entity.js';

const SORT_KEYS = {
  flavorid: 'id',
  id: 'id',
  name: 'name',
  vcpus: 'vcpus',
  memory_mb: 'memoryMb',
  root_gb: 'diskGb',
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

  @FilteredBy((gib: number) => compares('diskGb', 'gte', gib))
  @IntegerField({ optional: true, fromText: true })
  minDisk?: number;

  @FilteredBy((mib: number) => compares('memoryMb', 'gte', mib))
  @IntegerField({ optional: true, fromText: true })
  minRam?: number;
}

export class FlavorSummary {
  @Shown(String, 'Its id, which a server is created with.')
  id: string;

  @Shown(String, 'Its name, which no other flavor has.')
  name: string;

  @Shown<Flavor>([() => Link], 'Links.', { from: (row, ctx) => linksOf('flavors', row, ctx) })
  links: Link[];

  @Shown(String, 'What it is for.', { nullable: true, since: 55 })
  description?: string | null;
}

export class FlavorView extends FlavorSummary {
  @Shown<Flavor>('integer', 'MiB of memory.', { from: ({ memoryMb }) => memoryMb })
  ram: number;

  @Shown<Flavor>('integer', 'GiB of disk.', { from: ({ diskGb }) => diskGb })
  disk: number;

  @Shown('integer', 'Processors.')
  vcpus: number;

  @Shown(String, 'MiB of swap: none.', { until: 74, from: () => '' })
  @Shown('integer', 'MiB of swap: none.', { since: 75, from: () => 0 })
  swap: '' | number;

  @Shown(Number, 'Of no effect.', { from: () => 1 })
  rxtx_factor: number;

  @Shown('integer', 'GiB of a further disk: none.', { from: () => 0 })
  'OS-FLV-EXT-DATA:ephemeral': number;

  @Shown(Boolean, 'Whether no server can be created with it.', { from: () => false })
  'OS-FLV-DISABLED:disabled': boolean;

  @Shown<Flavor>(Boolean, 'Whether every project can use it.', { from: (row) => row.isPublic })
  'os-flavor-access:is_public': boolean;

  @Shown(Object, 'None.', { since: 61, from: () => ({}), schema: { maxProperties: 0 } })
  extra_specs?: object;
}
