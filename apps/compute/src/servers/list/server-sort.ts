/** What lists of servers are sorted by. Public source: nova, `api/openstack/compute/schemas/servers.py`. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { sortOf as sortOfQuery, type Sort } from '@cumulet/common/tables/listing';
import { versionOf } from '../../versions/microversions.js';

/** The same of every server. */
const SAME = { sql: `''::text` };

/** By their names on the wire. */
export const SERVER_SORT_KEYS = {
  created_at: 'createdAt',
  display_name: 'name',
  host: 'host',
  instance_type_id: { sql: `flavor->>'id'` },
  image_ref: 'imageId',
  launched_at: 'launchedAt',
  project_id: 'projectId',
  updated_at: 'updatedAt',
  user_id: 'userId',
  uuid: 'id',
  vm_state: 'state',
  access_ip_v4: 'accessIpV4',
  access_ip_v6: 'accessIpV6',
  auto_disk_config: 'diskConfig',
  config_drive: 'configDrive',
  display_description: 'description',
  hostname: 'hostname',
  kernel_id: { sql: `COALESCE(image->'kernel'->>'id', '')` },
  key_name: { sql: `COALESCE(keypair->>'name', '')` },
  launch_index: 'launchIndex',
  locked_by: 'lockedBy',
  node: 'host',
  power_state: 'state',
  progress: { sql: '(launched_at IS NOT NULL)' },
  ramdisk_id: { sql: `COALESCE(image->'ramdisk'->>'id', '')` },
  root_device_name: SAME,
  task_state: 'state',
  terminated_at: SAME,
  locked: { sql: '(locked_by IS NOT NULL)' },
} as const;

const FOR_ADMINISTRATORS: readonly string[] = ['host', 'node'];

/** Columns of Nova's that are no keys: ignored before 2.75, and refused since. */
const IGNORED: readonly string[] = (
  'architecture cell_name cleaned default_ephemeral_device default_swap_device deleted deleted_at ' +
  'disable_terminate ephemeral_gb ephemeral_key_uuid id key_data launched_on memory_mb os_type ' +
  'reservation_id root_gb shutdown_terminate user_data vcpus vm_mode'
).split(' ');

interface SortQuery {
  readonly sort_key?: string | string[];
  readonly sort_dir?: string | string[];
}

/**
 * The order that a query asks for, without the keys that are ignored.
 * @throws ForbiddenError for a key of administrators
 * @throws InvalidInputError for one that is none
 */
export function sortOf(ctx: RequestContext, query: SortQuery): Sort[] {
  const version = versionOf(ctx);
  const directions = [query.sort_dir ?? []].flat();
  const ignored = version.atLeast(75) ? [] : IGNORED;
  const kept = [query.sort_key ?? []]
    .flat()
    .map((key, at) => ({ key, direction: directions[at] ?? directions[0] ?? 'desc' }))
    .filter(({ key }) => !ignored.includes(key) && (key !== 'locked' || version.atLeast(73)));
  const forbidden = kept.find(({ key }) => FOR_ADMINISTRATORS.includes(key));
  if (forbidden && !ctx.isAdmin)
    throw new ForbiddenError(`Only administrators can sort servers by ${forbidden.key}`);
  const asked = {
    sort_key: kept.map(({ key }) => key),
    sort_dir: kept.length > 0 ? kept.map(({ direction }) => direction) : directions,
  };
  const other = Object.create(Object.getPrototypeOf(query) as object) as object;
  return sortOfQuery(Object.assign(other, asked));
}
