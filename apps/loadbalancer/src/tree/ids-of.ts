/** SQL for the ids of a row's parts, the oldest first, as an array. */
export function idsOf(table: string, where: string): string {
  return `ARRAY(SELECT part.id::text FROM ${table} AS part WHERE part.${where} ORDER BY part.created_at, part.id)`;
}
