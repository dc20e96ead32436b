/**
 * SQL of the availability zones that something is in: those that it asked for, as far as there are
 * hosts in them, or all. @param row with `availability_zone_hints`
 */
export function zonesAsked(row: string): string {
  return `SELECT COALESCE(array_agg(DISTINCT zone ORDER BY zone), '{}')
            FROM agents, unnest(agents.availability_zones) AS zone
           WHERE agents.state = 'present'
             AND (${row}.availability_zone_hints = '{}'
                  OR zone = ANY(${row}.availability_zone_hints))`;
}
