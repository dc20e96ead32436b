import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudgeAll } from '@cumulet/common/jobs/nudge';
import { Reconciles } from '@cumulet/common/service/background';
import { AppliedReconciler } from '../resource/applied.reconciler.js';
import type { AppliedEvent } from '../resource/applied.states.js';
import { routers, type Router, type RouterPortKind } from './router.entity.js';
import { applyRouters, lockRouters } from '../router-locks/router-locks.js';
import { routerStates } from '../router-locks/router.states.js';
import { canonicalRoute } from '../addresses/address-types.js';
import type {
  FloatingIpSpec,
  PortForwardingSpec,
  RouterPortSpec,
  RouterSpec,
} from '../data-plane/data-plane.js';
import { rulesOfPolicies } from '../qos/qos-binding.js';

@Reconciles()
@Injectable()
export class RouterReconciler extends AppliedReconciler<Router> {
  readonly states = routerStates;
  protected readonly table = routers;
  protected readonly title = 'Router';

  /** The status of its ports depends on whether the router is applied. */
  async ended(tx: RequestContext, id: string, event: AppliedEvent): Promise<void> {
    if (event === 'applied') {
      const text = 'UPDATE routers SET applied_at = clock_timestamp() WHERE id = $1';
      await preparedRows(tx.manager, text, [id]);
    }
    const ports = await preparedRows<{ id: string }>(
      tx.manager,
      `SELECT id FROM router_ports JOIN ports ON id = port_id
        WHERE router_id = $1 AND state IN ('building', 'updating')`,
      [id],
    );
    await nudgeAll(
      tx,
      ports.map((port) => ({ task: 'port', resource: 'port', id: port.id })),
    );
  }

  protected async ensure(ctx: RequestContext, row: Router): Promise<void> {
    await this.dataPlane.ensureRouter(await routerSpecOf(ctx, row));
  }

  protected remove(id: string): Promise<void> {
    return this.dataPlane.removeRouter(id);
  }
}

/** Called when a policy's rules have changed, which may be those of gateways or floating IPs. */
export async function reapplyRoutersOfPolicy(ctx: RequestContext, policyId: string): Promise<void> {
  const rows = await preparedRows<{ id: string }>(
    ctx.manager,
    `SELECT id FROM routers WHERE qos_policy_id = $1
      UNION
     SELECT router_id FROM floating_ips WHERE qos_policy_id = $1 AND router_id IS NOT NULL
      ORDER BY id`,
    [policyId],
  );
  for (const { id } of rows)
    await inTransaction(ctx, async (tx) => applyRouters(tx, await lockRouters(tx, [id])));
}

/** The router as the data plane gets it, with all related rows. */
export async function routerSpecOf(ctx: RequestContext, router: Router): Promise<RouterSpec> {
  const { id, adminStateUp, enableSnat, routes, availabilityZoneHints } = router;
  const ports = await portsOf(ctx, id);
  const those = (kind: RouterPortKind): RouterPortSpec[] =>
    ports.filter((port) => port.kind === kind).map(({ kind: _, ...spec }) => spec);
  const floating = await floatingIpsOf(ctx, id);
  const policies = [router.qosPolicyId, ...floating.map((one) => one.qosPolicyId)];
  const qosOf = await rulesOfPolicies(ctx, policies);
  return {
    id,
    adminStateUp,
    routes: routes.map(canonicalRoute),
    availabilityZones: availabilityZoneHints,
    interfaces: those('interface'),
    gateways: those('gateway').map((port, at) => ({
      ...port,
      enableSnat,
      qos: qosOf(at === 0 ? router.qosPolicyId : null),
    })),
    floatingIps: floating.map(({ qosPolicyId, ...one }) => ({ ...one, qos: qosOf(qosPolicyId) })),
    portForwardings: await portForwardingsOf(ctx, id),
  };
}

function portsOf(
  ctx: RequestContext,
  routerId: string,
): Promise<(RouterPortSpec & { readonly kind: RouterPortKind })[]> {
  return preparedRows(
    ctx.manager,
    `SELECT kind, ports.id AS "portId", network_id AS "networkId", mac_address AS "macAddress", mtu,
            ports.admin_state_up AS "adminStateUp",
            (SELECT COALESCE(jsonb_agg(jsonb_build_object(
                      'subnetId', subnet_id, 'address', host(address), 'cidr', cidr::text,
                      'gatewayIp', gateway_ip, 'ipv6RaMode', ipv6_ra_mode)
                      ORDER BY ip_allocations.position), '[]')
               FROM ip_allocations JOIN subnets ON subnets.id = subnet_id
              WHERE port_id = ports.id) AS addresses
       FROM router_ports
       JOIN ports ON ports.id = port_id
       JOIN networks ON networks.id = network_id
      WHERE router_id = $1
      ORDER BY position, ports.id`,
    [routerId],
  );
}

function floatingIpsOf(
  ctx: RequestContext,
  routerId: string,
): Promise<(Omit<FloatingIpSpec, 'qos'> & { readonly qosPolicyId: string | null })[]> {
  return preparedRows(
    ctx.manager,
    `SELECT floating_ips.id, host(floating_ip_address) AS address,
            floating_network_id AS "networkId", mac_address AS "macAddress",
            host(fixed_ip_address) AS "fixedAddress", fixed_port_id AS "fixedPortId",
            floating_ips.qos_policy_id AS "qosPolicyId"
       FROM floating_ips JOIN ports ON ports.id = floating_port_id
      WHERE router_id = $1 AND fixed_port_id IS NOT NULL
      ORDER BY floating_ips.id`,
    [routerId],
  );
}

function portForwardingsOf(ctx: RequestContext, routerId: string): Promise<PortForwardingSpec[]> {
  return preparedRows(
    ctx.manager,
    `SELECT one.id, host(floating_ip_address) AS address, floating_network_id AS "networkId",
            protocol, jsonb_build_array(external_first, external_last) AS "externalPorts",
            host(internal_ip_address) AS "internalAddress",
            internal_port_id AS "internalPortId",
            jsonb_build_array(internal_first, internal_last) AS "internalPorts"
       FROM port_forwardings AS one JOIN floating_ips ON floating_ips.id = floatingip_id
      WHERE router_id = $1
      ORDER BY one.id`,
    [routerId],
  );
}
