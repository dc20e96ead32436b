/**
 * The gateways of a router. Public source: neutron, `_update_router_gw_info` in `db/l3_db.py` and
 * `db/l3_gwmode_db.py`, `db/l3_extra_gws_db.py`.
 */
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { equals } from '@cumulet/common/tables/condition';
import {
  BadRequestError,
  PolicyNotAuthorizedError,
} from '@cumulet/common/resources/resource.errors';
import type { AskedFixedIp } from '../ports/port.resource.js';
import { changedAddresses } from '../ports/fixed-ips.js';
import { removePort, reapplyPort } from '../ports/apply-port.js';
import {
  freeAddresses,
  lockSubnets,
  requireSubnets,
  allocateAddresses,
} from '../ports/port-addresses.js';
import { ports } from '../ports/port.repository.js';
import { lockNetworks, makeServicePort } from '../ports/service-ports.js';
import { networks, visibleNetworks } from '../networks/networks.service.js';
import { changePolicy } from '../qos/qos-binding.js';
import { subnets } from '../subnets/subnet.repository.js';
import { attachedSubnets, refuseOverlap } from './attached-subnets.js';
import { routerPorts, type Router } from './router.entity.js';
import {
  RouterExternalGatewayInUseByFloatingIpError,
  UnableToMatchGatewaysError,
} from './router.errors.js';
import type { AskedGateway, Gateway } from './router.resource.js';

const OWNER = 'network:router_gateway';

/**
 * Only administrators may choose gateways' addresses and SNAT.
 * @param rule the policy rule, such as `update_router:external_gateway_info`
 */
export function refuseChosenGateway(
  ctx: RequestContext,
  rule: string,
  asked: readonly AskedGateway[],
): void {
  if (ctx.isAdmin) return;
  for (const name of ['enable_snat', 'external_fixed_ips'] as const)
    if (asked.some((one) => one[name] !== undefined))
      throw new PolicyNotAuthorizedError(`${rule}:${name}`);
}

/**
 * Replaces the router's gateways, in this order. Existing ones stay, with new addresses if others
 * are requested.
 * @param wanted requests, with the existing gateway that each of them means
 */
export async function setGateways(
  tx: RequestContext,
  router: Router,
  wanted: readonly (readonly [AskedGateway, Gateway | undefined])[],
): Promise<void> {
  const kept = wanted.flatMap(([, gateway]) => gateway ?? []);
  const gone = router.gateways.filter((one) => !kept.includes(one));
  await refuseIfNeeded(
    tx,
    router,
    gone,
    wanted.map(([asked]) => asked.network_id),
  );
  await lockNetworks(tx, [
    ...router.gateways.map(({ networkId }) => networkId),
    ...wanted.map(([asked]) => asked.network_id),
  ]);
  // Checked under the lock, since access to a network changes only under it.
  for (const [asked] of wanted) await checkGateway(tx, asked);
  for (const { portId } of gone) await removeGateway(tx, portId);
  for (const [position, [asked, gateway]] of wanted.entries()) {
    const portId = gateway
      ? await moveGateway(tx, gateway, asked)
      : await addGateway(tx, router, asked);
    await routerPorts.update(tx, { portId }, { position });
  }
}

export function namedAddresses({ external_fixed_ips: asked = [] }: AskedGateway): string[] {
  return asked.flatMap(({ ip_address: address }) => address ?? []);
}

/** If omitted, the policy stays on the same network. @throws as `changePolicy` */
export async function gatewayPolicy(
  tx: RequestContext,
  { id, qosPolicyId: before, gateways: [first] }: Router,
  asked: AskedGateway | null,
): Promise<string | null> {
  const isSame = asked !== null && asked.network_id === first?.networkId;
  const after = asked?.qos_policy_id === undefined ? (isSame ? before : null) : asked.qos_policy_id;
  if (asked?.qos_policy_id !== undefined && after !== before)
    await changePolicy(tx, before, after, { kind: 'router', id });
  return after;
}

async function checkGateway(tx: RequestContext, asked: AskedGateway): Promise<void> {
  const network = await networks.get(tx, asked.network_id, visibleNetworks(tx));
  if (!network.isExternal)
    throw new BadRequestError('router', `Network ${network.id} is not an external network`);
  const all = await subnets.select(tx, [equals('networkId', network.id)]);
  const taken = namedAddresses(asked).find((address) =>
    all.some(({ gatewayIp }) => gatewayIp === address),
  );
  if (taken !== undefined)
    throw new BadRequestError('router', `External IP ${taken} is the same as the gateway IP`);
}

/** @param kept networks on which the router will still have a gateway */
async function refuseIfNeeded(
  tx: RequestContext,
  router: Router,
  gone: readonly Gateway[],
  kept: readonly string[],
): Promise<void> {
  const lost = gone.map(({ networkId }) => networkId).filter((id) => !kept.includes(id));
  const needed = await floatingNetworks(tx, router.id);
  const network = lost.find((id) => needed.includes(id));
  if (network !== undefined)
    throw new RouterExternalGatewayInUseByFloatingIpError(router.id, network);
}

async function addGateway(
  tx: RequestContext,
  { id: routerId }: Router,
  { network_id: networkId, external_fixed_ips: asked = [] }: AskedGateway,
): Promise<string> {
  const added = await subnets.select(tx, [equals('networkId', networkId)], 'ORDER BY id');
  refuseOverlap(await attachedSubnets(tx, routerId), added, 'gateway');
  const fixedIps = asked.length > 0 ? asked : undefined;
  const port = await makeServicePort(tx, {
    // Hidden from all projects.
    projectId: '',
    networkId,
    fixedIps,
    deviceId: routerId,
    deviceOwner: OWNER,
  });
  await routerPorts.insert(tx, { portId: port.id, routerId, kind: 'gateway' });
  return port.id;
}

async function moveGateway(
  tx: RequestContext,
  { portId, fixedIps }: Gateway,
  asked: AskedGateway,
): Promise<string> {
  if (!isOther(fixedIps, asked)) return portId;
  const port = await ports.lock(tx, portId);
  const all = await lockSubnets(tx, port.networkId);
  await requireSubnets(tx, all, asked.external_fixed_ips);
  const { gone, wanted, kept } = changedAddresses(port, all, asked.external_fixed_ips ?? []);
  await freeAddresses(tx, port, gone, all);
  await allocateAddresses(tx, port, wanted, kept);
  await reapplyPort(tx, port);
  return portId;
}

/** Whether the requested addresses differ; omitted parts and the order do not matter. */
function isOther(
  has: Gateway['fixedIps'],
  { external_fixed_ips: asked = [] }: AskedGateway,
): boolean {
  if (asked.length === 0) return false;
  const left = [...has];
  // The most specific requests first, so that a vague one does not take a gateway that only they
  // match.
  const exactFirst = [...asked].sort((one, other) => vagueness(one) - vagueness(other));
  for (const { subnet_id: subnet, ip_address: address } of exactFirst) {
    const at = left.findIndex(
      (one) =>
        (subnet === undefined || one.subnet_id === subnet) &&
        (address === undefined || one.ip_address === address),
    );
    if (at < 0) return true;
    left.splice(at, 1);
  }
  return left.length > 0;
}

function vagueness({ ip_address: address }: AskedFixedIp): number {
  return address === undefined ? 1 : 0;
}

async function removeGateway(tx: RequestContext, portId: string): Promise<void> {
  const port = await ports.lock(tx, portId);
  await routerPorts.deleteAll(tx, [equals('portId', portId)]);
  await removePort(tx, port);
}

/** External networks of the floating IPs that use the router. */
async function floatingNetworks(tx: RequestContext, routerId: string): Promise<string[]> {
  const rows = await preparedRows<{ id: string }>(
    tx.manager,
    'SELECT DISTINCT floating_network_id AS id FROM floating_ips WHERE router_id = $1',
    [routerId],
  );
  return rows.map(({ id }) => id);
}

export type MatchedGateway = readonly [AskedGateway, Gateway | undefined];

/**
 * Matches requests, which contain networks and addresses only, with a router's gateways. Public
 * source: neutron, `_match_requested_gateway_ports` in `db/l3_extra_gws_db.py`.
 * @returns each request with its gateway, if any
 * @throws UnableToMatchGatewaysError if it could be several
 */
export function matchGateways(
  { id, gateways }: Router,
  asked: readonly AskedGateway[],
): MatchedGateway[] {
  const left = [...gateways];
  return asked.map((one) => {
    const fitting = left.filter((gateway) => mayMean(one, gateway));
    if (fitting.length > 1 && namedAddresses(one).length === 0) {
      throw new UnableToMatchGatewaysError(
        id,
        `multiple gateway ports are attached to the same network ${one.network_id} but external_fixed_ips parameter is not specified in the request`,
      );
    }
    const [found] = fitting;
    if (found) left.splice(left.indexOf(found), 1);
    return [one, found] as const;
  });
}

function mayMean(asked: AskedGateway, { networkId, fixedIps }: Gateway): boolean {
  if (asked.network_id !== networkId) return false;
  const named = namedAddresses(asked);
  return named.length === 0 || fixedIps.some(({ ip_address }) => named.includes(ip_address));
}
