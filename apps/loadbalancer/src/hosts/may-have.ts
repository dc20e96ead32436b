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
