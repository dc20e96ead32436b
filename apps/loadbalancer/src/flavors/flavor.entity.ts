import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { HAPROXY_FLAVOR, type HaproxyFlavor, readData } from '../providers/capabilities.js';
import { OctaviaTable } from '../resources/octavia-table.js';
import {
  InvalidSubresourceError,
  ObjectInUseError,
  RecordAlreadyExistsError,
} from '../resources/octavia.errors.js';
import { FlavorProfile, flavorProfiles } from './flavor-profile.entity.js';

/** A kind of load balancer that administrators offer. */
@Entity('flavors')
@Unique('flavors_name_key', ['name'])
@Index('flavors_flavor_profile_idx', ['flavorProfileId'])
export class Flavor {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  /** Whether new load balancers may have it. */
  @Column('boolean', { default: true })
  enabled: boolean;

  @ForeignKey(() => FlavorProfile, { name: 'flavors_flavor_profile_fkey' })
  @Column('uuid', { name: 'flavor_profile_id' })
  flavorProfileId: string;
}

export const flavors = new OctaviaTable(Flavor, 'Flavor', {
  flavors_name_key: ({ name = '' }) => new RecordAlreadyExistsError('flavor', name),
  flavors_flavor_profile_fkey: ({ flavorProfileId = '' }) =>
    new InvalidSubresourceError('Flavor profile', flavorProfileId),
  load_balancers_flavor_fkey: ({ id = '' }) => new ObjectInUseError('Flavor', id),
});

/** What a load balancer's flavor says of it. While it has the flavor, that stays the same. */
export async function flavorOf(
  ctx: RequestContext,
  { flavorId, provider }: { readonly flavorId: string | null; readonly provider: string },
): Promise<HaproxyFlavor> {
  if (flavorId === null) return {};
  const { flavorProfileId } = await flavors.get(ctx, flavorId);
  const { flavorData } = await flavorProfiles.get(ctx, flavorProfileId);
  return readData(provider, HAPROXY_FLAVOR, 'flavor_data', flavorData);
}
