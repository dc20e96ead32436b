/** Flavors on the wire. Public source: Nova API reference, "Flavors (flavors)". */
import { EnumField, IntegerField, StringField } from '@cumulet/common/http/fields';
import { contextViewOf, Shown } from '@cumulet/common/http/shown';
import { Link, linksOf } from '../http/links.js';
import type { Flavor } from './flavor.entity.js';
import { FLAVOR_SORT_COLUMNS } from './flavor.repository.js';

export class ListFlavorsQuery {
  @IntegerField({ optional: true, fromText: true, max: 1000 })
  limit?: number;

  @StringField({ optional: true })
  marker?: string;

  @EnumField(Object.keys(FLAVOR_SORT_COLUMNS), { optional: true })
  sort_key?: string;

  @EnumField(['asc', 'desc'], { optional: true })
  sort_dir?: 'asc' | 'desc';

  @IntegerField({ optional: true, fromText: true, description: 'GiB of disk at least.' })
  minDisk?: number;

  @IntegerField({ optional: true, fromText: true, description: 'MiB of memory at least.' })
  minRam?: number;
}

export class FlavorSummary {
  @Shown(String, 'Its id, which a server is created with.')
  id: string;

  @Shown(String, 'Its name, which no other flavor has.')
  name: string;

  @Shown<Flavor>([() => Link], 'Where it is.', {
    from: ({ id }, { baseUrl }) => linksOf('flavors', id, baseUrl),
  })
  links: Link[];

  @Shown(String, 'What it is for.', { nullable: true, since: 55 })
  description?: string | null;
}

export class FlavorView extends FlavorSummary {
  @Shown<Flavor>('integer', 'MiB of memory.', { from: ({ memoryMb }) => memoryMb })
  ram: number;

  @Shown<Flavor>('integer', 'GiB of disk; 0 is as large as the image.', {
    from: ({ diskGb }) => diskGb,
  })
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

  @Shown(Object, 'Further requirements: none.', { since: 61, from: () => ({}) })
  extra_specs?: object;
}

export const flavorSummaryView = contextViewOf<Flavor, FlavorSummary>(FlavorSummary);
export const flavorView = contextViewOf<Flavor, FlavorView>(FlavorView);

export class FlavorAnswer {
  @Shown(() => FlavorView, 'The flavor.')
  flavor: FlavorView;
}

class FlavorPage {
  @Shown([() => Link], 'The next page, where there is one.', { optional: true })
  flavors_links?: Link[];
}

export class FlavorSummaryList extends FlavorPage {
  @Shown([() => FlavorSummary], 'The flavors of the page.')
  flavors: FlavorSummary[];
}

export class FlavorList extends FlavorPage {
  @Shown([() => FlavorView], 'The flavors of the page.')
  flavors: FlavorView[];
}

export class ExtraSpecs {
  @Shown(Object, 'Further requirements: none.')
  extra_specs: object;
}
