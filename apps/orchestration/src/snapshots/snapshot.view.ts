import { heatTime } from '../http/links.js';
import type { JsonObject } from '../json/json.js';
import type { StackSnapshot } from '../rows/stack-snapshot.entity.js';

export function snapshotView(row: StackSnapshot, data: JsonObject | null): object {
  return {
    id: row.id,
    name: row.name,
    action: 'CREATE',
    status: row.status,
    status_reason: row.reason,
    creation_time: heatTime(row.createdAt),
    data,
  };
}
