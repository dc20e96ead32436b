/** Public source: octavia, `api/v2/types/flavors.py`. */
import { Entity, ForeignKey, Index, Unique } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { flag, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { HAPROXY_FLAVOR, type HaproxyFlavor, readData } from '../providers/capabilities.js';
import { OctaviaTable } from '../resources/octavia-table.js';
import {
  InvalidSubresourceError,
  ObjectInUseError,
  RecordAlreadyExistsError,
} from '../resources/octavia.errors.js';
import { defineBareResource, ID } from '../resources/resource.js';

const FLAVOR_PROFILE = {
  ...ID,
  name: attribute(text(), { about: 'The name.', required: true }),
  providerName: attribute(text(), {
    about: 'The name of the provider.',
    required: true,
  }),
  flavorData: attribute(text(4096), {
    about: "Values of the provider's flavor capabilities, as a JSON object.",
    required: true,
  }),
};

@Entity('flavor_profiles')
export class FlavorProfile extends rowOf(FLAVOR_PROFILE) {}

export const flavorProfileResource = defineBareResource({
  singular: 'flavorprofile',
  plural: 'flavorprofiles',
  attributes: FLAVOR_PROFILE,
});

export const flavorProfiles = new OctaviaTable(FlavorProfile, 'Flavor profile', {
  flavors_flavor_profile_fkey: ({ id = '' }) => new ObjectInUseError('Flavor profile', id),
});

const FLAVOR = {
  ...ID,
  name: attribute(text(), { about: 'The name, which is unique.', required: true }),
  description: attribute(orNull(text()), { about: 'The description.' }),
  enabled: attribute(flag, {
    about: 'Whether new load balancers may have the flavor.',
    default: true,
  }),
  flavorProfileId: attribute(uuid, {
    about: 'The ID of the flavor profile.',
    required: true,
    given: 'at-creation',
  }),
};

/** A kind of load balancer that administrators offer. */
@Entity('flavors')
@Unique('flavors_name_key', ['name'])
@Index('flavors_flavor_profile_idx', ['flavorProfileId'])
@ForeignKey(() => FlavorProfile, ['flavorProfileId'], ['id'], {
  name: 'flavors_flavor_profile_fkey',
})
export class Flavor extends rowOf(FLAVOR) {}

export const flavorResource = defineBareResource({
  singular: 'flavor',
  plural: 'flavors',
  attributes: FLAVOR,
});

export const flavors = new OctaviaTable(Flavor, 'Flavor', {
  flavors_name_key: ({ name = '' }) => new RecordAlreadyExistsError('flavor', name),
  flavors_flavor_profile_fkey: ({ flavorProfileId = '' }) =>
    new InvalidSubresourceError('Flavor profile', flavorProfileId),
  load_balancers_flavor_fkey: ({ id = '' }) => new ObjectInUseError('Flavor', id),
});

/** The data of a load balancer's flavor, which cannot change while a load balancer has it. */
export async function flavorOf(
  ctx: RequestContext,
  { flavorId, provider }: { readonly flavorId: string | null; readonly provider: string },
): Promise<HaproxyFlavor> {
  if (flavorId === null) return {};
  const { flavorProfileId } = await flavors.get(ctx, flavorId);
  const { flavorData } = await flavorProfiles.get(ctx, flavorProfileId);
  return readData(provider, HAPROXY_FLAVOR, 'flavor_data', flavorData);
}
