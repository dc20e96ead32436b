import { Column, Entity, PrimaryColumn } from 'typeorm';
import { heardWithin } from '@cumulet/common/hosts/heartbeats';

/** A process that runs load balancers, by the name that it has for itself (`CUMULET_HOST`). */
@Entity('hosts')
export class Host {
  @PrimaryColumn('text')
  name: string;

  /** `haproxy` or `simulated`. */
  @Column('text', { name: 'data_plane' })
  dataPlane: string;

  /** `LOADBALANCER_ZONE`; availability zones name it as `compute_zone`. */
  @Column('text', { default: 'nova' })
  zone: string;

  /** When it last gave a sign of life, by the database's clock. */
  @Column('timestamptz', { name: 'seen_at' })
  seenAt: Date;
}

export const REPORT_EVERY_MS = 2_000;

/** How long a host is silent before it counts as dead. */
export const SILENCE_SECONDS = 8;

/** SQL: whether a row of `hosts` is up. */
export const IS_UP = `(${heardWithin(SILENCE_SECONDS)})`;

/**
 * SQL: whether a row of `hosts` is one that a load balancer may be on: one of the `compute_zone` of
 * its availability zone, or any where it has none.
 * @param id the load balancer's, such as `$1`
 */
export function mayHave(id: string): string {
  return `hosts.zone = COALESCE((
    SELECT profile.availability_zone_data::jsonb ->> 'compute_zone'
      FROM load_balancers AS placed
      JOIN availability_zones AS zone ON zone.name = placed.availability_zone
      JOIN availability_zone_profiles AS profile
        ON profile.id = zone.availability_zone_profile_id
     WHERE placed.id = ${id}), hosts.zone)`;
}
