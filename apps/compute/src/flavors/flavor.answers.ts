/** Flavors on the wire. Public source: Nova API reference, "Flavors (flavors)". */
import { AdditionalProperties, answerClass, Shown } from '@cumulet/common/http/shown';
import { Link, linksOf } from '../http/pages.js';
import type { Flavor, FlavorProject } from './flavor.entity.js';

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

  @Shown<Flavor>(String, 'Empty: no swap.', {
    until: 74,
    from: ({ swapMb }) => (swapMb === 0 ? '' : swapMb),
    schema: { type: ['string', 'integer'] as never },
  })
  @Shown<Flavor>('integer', 'MiB of swap.', { since: 75, from: ({ swapMb }) => swapMb })
  swap: '' | number;

  @Shown<Flavor>(Number, 'Of no effect.', { until: 101, from: ({ rxtxFactor }) => rxtxFactor })
  rxtx_factor?: number;

  @Shown<Flavor>('integer', 'GiB of a further disk.', { from: ({ ephemeralGb }) => ephemeralGb })
  'OS-FLV-EXT-DATA:ephemeral': number;

  @Shown(Boolean, 'Whether no server can be created with it.', { until: 101, from: () => false })
  'OS-FLV-DISABLED:disabled'?: boolean;

  @Shown<Flavor>(Boolean, 'Whether every project can use it.', { from: (row) => row.isPublic })
  'os-flavor-access:is_public': boolean;

  @Shown<Flavor>(Object, 'Further requirements.', {
    since: 61,
    from: ({ extraSpecs }) => extraSpecs,
    schema: { additionalProperties: { type: 'string' } },
  })
  extra_specs?: object;
}

export const ExtraSpecs = answerClass('ExtraSpecs', {
  extra_specs: Shown(Object, 'Further requirements.', {
    schema: { additionalProperties: { type: 'string' } },
  }),
});

/** `{"hw:cpu_sockets": "2"}` */
@AdditionalProperties(String)
export class ExtraSpec {}

class FlavorAccess {
  @Shown(String, 'The flavor.')
  flavor_id: string;

  @Shown(String, 'A project that may use it.')
  tenant_id: string;
}

export const FlavorAccessList = answerClass('FlavorAccessList', {
  flavor_access: Shown([() => FlavorAccess], 'Who may use it, besides administrators.'),
});

export function flavorAccessView(rows: readonly FlavorProject[]): object {
  return {
    flavor_access: rows.map(({ flavorId, projectId }) => ({
      flavor_id: flavorId,
      tenant_id: projectId,
    })),
  };
}
