/**
 * The instance that runs a load balancer on a host, shown as Octavia's amphora. Attributes that only a
 * server has are null. Public source: octavia, `api/v2/types/amphora.py`.
 */
import { Entity, ForeignKey, Unique } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { computed, shownOnly } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import type { Filter } from '@cumulet/common/resources/resource';
import { flag, integer, oneOf, orNull, text, uuid } from '@cumulet/common/resources/value-type';
import { oneOf as isOneOf, type Condition } from '@cumulet/common/tables/condition';
import { IS_UP } from '../hosts/host.entity.js';
import { defineBareResource, ofLoadBalancer } from '../resources/resource.js';
import { time, timeOrNull } from '../resources/values.js';
import { LoadBalancer } from './load-balancer.entity.js';

const OWN = 'load_balancers WHERE load_balancers.id = instances.load_balancer_id';

const noValue = {
  sort: false,
  from: () => null,
  filter: (): Condition => () => 'false',
} as const;

/** A column of the load balancer or of the host. */
const ofOthers = (sql: string) => {
  const filter: Filter = (values) => isOneOf({ sql }, values);
  return { filter, sort: false, virtual: () => sql } as const;
};

const INSTANCE = {
  id: shownOnly(uuid, {
    about: 'The ID, which changes with each failover.',
    column: { primary: true },
  }),
  loadBalancerId: shownOnly(uuid, {
    about: 'The ID of the load balancer that it runs.',
    wire: 'loadbalancer_id',
  }),
  computeId: computed(orNull(uuid), {
    about: 'Always null, since the amphora is not a server.',
    ...noValue,
  }),
  lbNetworkIp: computed(orNull(text()), {
    about: 'Always null, since the amphora is managed on its host.',
    ...noValue,
  }),
  vrrpIp: computed(orNull(text()), {
    about: 'Always null, since the VIP is the only address.',
    ...noValue,
  }),
  vipAddress: shownOnly(orNull(text()), {
    about: 'The VIP.',
    wire: 'ha_ip',
    ...ofOthers(`(SELECT vip_address FROM ${OWN})`),
  }),
  vrrpPortId: computed(orNull(uuid), {
    about: 'Always null, since the port of the VIP is the only port.',
    ...noValue,
  }),
  vipPortId: shownOnly(orNull(uuid), {
    about: 'The ID of the port of the VIP.',
    wire: 'ha_port_id',
    ...ofOthers(`(SELECT vip_port_id::text FROM ${OWN})`),
  }),
  certExpiration: computed(timeOrNull, {
    about: 'Always null, since the amphora has no certificate of its own.',
    ...noValue,
  }),
  certBusy: computed(flag, {
    about: 'Always false, since the amphora has no certificate of its own.',
    sort: false,
    filter: (values) => (bind) => `${bind(values.some((one) => /^false$/i.test(one)))}::boolean`,
    from: () => false,
  }),
  role: computed(oneOf(['STANDALONE']), {
    about: 'The role. A load balancer has one amphora.',
    sort: false,
    filter: (values) => (bind) => `${bind(values.includes('STANDALONE'))}::boolean`,
    from: () => 'STANDALONE',
  }),
  status: shownOnly(oneOf(['ALLOCATED', 'ERROR', 'PENDING_DELETE']), {
    about: 'The status; ERROR if the host is down or the load balancer could not be started.',
    ...ofOthers(`(SELECT CASE
      WHEN state = 'pending_delete' THEN 'PENDING_DELETE'
      WHEN state = 'error' OR NOT EXISTS (
        SELECT FROM hosts WHERE hosts.name = instances.host AND ${IS_UP}) THEN 'ERROR'
      ELSE 'ALLOCATED' END FROM ${OWN})`),
  }),
  vrrpInterface: computed(orNull(text()), { about: 'Always null.', ...noValue }),
  vrrpId: computed(orNull(integer(0, 255)), { about: 'Always null.', ...noValue }),
  vrrpPriority: computed(orNull(integer(0, 255)), { about: 'Always null.', ...noValue }),
  zone: shownOnly(orNull(text()), {
    about: 'The zone of its host.',
    wire: 'cached_zone',
    ...ofOthers('(SELECT zone FROM hosts WHERE hosts.name = instances.host)'),
  }),
  createdAt: shownOnly(time, {
    about: 'When it was created.',
    column: { default: () => 'now()' },
  }),
  updatedAt: shownOnly(time, {
    about: 'When its configuration was last applied.',
    column: { default: () => 'now()' },
  }),
  imageId: computed(orNull(uuid), {
    about: 'Always null, since the amphora is not a server.',
    ...noValue,
  }),
  computeFlavor: computed(orNull(text()), {
    about: 'Always null, since the amphora is not a server.',
    ...noValue,
  }),
  host: shownOnly(text(), { about: 'The name of its host.' }),
};

/** Another host, and a failover, make it another one. */
@Entity('instances')
@Unique('instances_load_balancer_key', ['loadBalancerId'])
@ForeignKey(() => LoadBalancer, ['loadBalancerId'], ['id'], {
  name: 'instances_load_balancer_fkey',
  onDelete: 'CASCADE',
})
export class Instance extends rowOf(INSTANCE) {}

export const amphoraResource = defineBareResource({
  singular: 'amphora',
  plural: 'amphorae',
  attributes: INSTANCE,
  filters: {
    load_balancer_id: ofLoadBalancer,
    project_id: ofOthers(`(SELECT project_id FROM ${OWN})`).filter,
  },
});

/** Whether what runs on the load balancer's host is to go on, rather than to be made anew. */
export async function hasInstance(
  { manager }: RequestContext,
  { id, host }: Pick<LoadBalancer, 'id' | 'host'>,
): Promise<boolean> {
  const rows = await preparedRows(
    manager,
    'SELECT FROM instances WHERE load_balancer_id = $1 AND host = $2',
    [id, host],
  );
  return rows.length > 0;
}

/** Records that the configuration was applied; on another host, as a new instance. */
export async function recordInstance({ manager }: RequestContext, id: string): Promise<void> {
  await preparedRows(
    manager,
    `INSERT INTO instances AS former (id, load_balancer_id, host)
     SELECT gen_random_uuid(), id, host FROM load_balancers WHERE id = $1 AND host IS NOT NULL
     ON CONFLICT (load_balancer_id) DO UPDATE SET updated_at = excluded.updated_at,
       host = excluded.host,
       id = CASE WHEN former.host = excluded.host THEN former.id ELSE excluded.id END,
       created_at = CASE WHEN former.host = excluded.host
         THEN former.created_at ELSE excluded.created_at END`,
    [id],
  );
}

/** The next apply creates a new instance. */
export async function forgetInstance({ manager }: RequestContext, id: string): Promise<void> {
  await preparedRows(manager, 'DELETE FROM instances WHERE load_balancer_id = $1', [id]);
}
