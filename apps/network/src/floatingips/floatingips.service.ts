import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals } from '@cumulet/common/tables/condition';
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import { networks, visibleNetworks } from '../networks/networks.service.js';
import { removePort } from '../ports/apply-port.js';
import { notifyCompute } from '../server-events/notify-compute.js';
import { ports } from '../ports/port.repository.js';
import { FLOATING_IP_OWNER } from '../ports/device-owner.js';
import { makeServicePort } from '../ports/service-ports.js';
import { changePolicy, usePolicy } from '../qos/qos-binding.js';
import { ResourceService } from '../resource/resource.service.js';
import { lockThrough, applyRouters } from '../router-locks/router-locks.js';
import { subnets } from '../subnets/subnet.repository.js';
import { markAssociated } from './associations.js';
import { floatingIps, type FloatingIp } from './floatingip.entity.js';
import * as errors from './floatingip.errors.js';
import { floatingIpResource } from './floatingip.resource.js';
import type {
  FloatingIpChange,
  FloatingIpAttributes,
  NewFloatingIp,
} from './floatingip.resource.js';
import { lockTarget, v4Of, type AskedPort, type TargetPort } from './association-target.js';

const NOWHERE = { fixedPortId: null, fixedIpAddress: null, routerId: null, associatedAt: null };

@Injectable()
export class FloatingIpsService extends ResourceService<FloatingIp, FloatingIpAttributes> {
  protected readonly resource = floatingIpResource;
  protected readonly table = floatingIps;

  protected override async make(tx: RequestContext, body: NewFloatingIp): Promise<FloatingIp> {
    const { fixedPortId: _, fixedIpAddress: __, subnetId, ...rest } = body;
    const { floatingIpAddress: address, ...columns } = rest;
    const { projectId } = tx;
    const floatingNetworkId = await externalNetwork(tx, body.floatingNetworkId);
    const asked = askedPort(body);
    const reached = asked && (await lockTarget(tx, { projectId, floatingNetworkId }, asked));
    const id = randomUUID();
    const wanted = {
      ...(subnetId ? { subnet_id: subnetId } : {}),
      ...(address ? { ip_address: address } : {}),
    };
    const port = await makeServicePort(tx, {
      // Hidden from all projects.
      projectId: '',
      networkId: floatingNetworkId,
      deviceId: id,
      deviceOwner: FLOATING_IP_OWNER,
      fixedIps: Object.keys(wanted).length > 0 ? [wanted] : undefined,
    });
    const [own] = v4Of(port.fixedIps);
    if (!own) throw new errors.ExternalIpAddressExhaustedError(floatingNetworkId);
    if (body.qosPolicyId !== null)
      await usePolicy(tx, body.qosPolicyId, { kind: 'floatingip', id });
    await floatingIps.insert(tx, {
      ...this.columnsOf(columns),
      id,
      projectId,
      floatingNetworkId,
      floatingPortId: port.id,
      floatingIpAddress: own.ip_address,
      ...(reached ? leadingTo(reached) : {}),
    });
    if (reached) {
      await markAssociated(tx, id);
      await notifyServers(tx, reached.portId);
    }
    await applyRouters(tx, reached ? [reached.routerId] : []);
    return floatingIps.get(tx, id);
  }

  /**
   * Routers are locked before floating IPs. An update without attributes disassociates the port, as
   * in Neutron, where floating IPs once had no other attribute to update.
   */
  override update(
    ctx: RequestContext,
    id: string,
    given: FloatingIpChange,
    revision?: number,
  ): Promise<FloatingIp> {
    const body = Object.keys(given).length === 0 ? { fixedPortId: null } : given;
    return inTransaction(ctx, async (tx) => {
      const seen = await this.get(tx, id);
      const asked = askedPort(body);
      if (asked) {
        const own = (): Promise<(string | null)[]> => this.routersOf(tx, seen.id);
        await lockTarget(tx, seen, asked, own, () => floatingIps.lock(tx, seen.id));
      }
      return super.update(tx, id, body, revision);
    });
  }

  protected override async lockOwn(
    ...[tx, id, ...rest]: Parameters<ResourceService<FloatingIp, FloatingIpAttributes>['lockOwn']>
  ): Promise<FloatingIp> {
    const seen = await this.get(tx, id);
    const own = (): Promise<(string | null)[]> => this.routersOf(tx, seen.id);
    return lockThrough(tx, own, () => super.lockOwn(tx, id, ...rest));
  }

  private async routersOf(tx: RequestContext, id: string): Promise<(string | null)[]> {
    return [(await floatingIps.get(tx, id)).routerId];
  }

  protected override async change(
    tx: RequestContext,
    floatingIp: FloatingIp,
    body: FloatingIpChange,
  ): Promise<FloatingIp> {
    const { id, routerId } = floatingIp;
    const { fixedPortId: portId, fixedIpAddress: _, ...rest } = body;
    const asked = askedPort(body);
    if (asked && floatingIp.portForwardings.length > 0)
      throw new errors.FipInUseByPortForwardingError(id);
    const reached = asked && (await lockTarget(tx, floatingIp, asked));
    const { qosPolicyId: policy } = floatingIp;
    const { qosPolicyId: nextPolicy = policy } = body;
    if (body.qosPolicyId !== undefined)
      await changePolicy(tx, policy, nextPolicy, { kind: 'floatingip', id });
    // Port forwardings may still use the router.
    const isFreed = portId === null && floatingIp.fixedPortId !== null;
    await this.save(tx, floatingIp, {
      ...this.columnsOf(rest),
      ...(reached ? leadingTo(reached) : isFreed ? NOWHERE : {}),
    });
    if (reached) await markAssociated(tx, id);
    if (reached || isFreed) {
      await notifyServers(tx, floatingIp.fixedPortId, reached?.portId);
    }
    const isLimited = nextPolicy !== policy;
    if (reached || isFreed || isLimited) {
      const led = [routerId, reached?.routerId].filter((one) => one != null);
      await applyRouters(tx, led);
    }
    return floatingIps.get(tx, id);
  }

  protected override async erase(tx: RequestContext, floatingIp: FloatingIp): Promise<void> {
    const { id, routerId, floatingPortId } = floatingIp;
    if (floatingIp.portForwardings.length > 0) throw new errors.FipInUseByPortForwardingError(id);
    const port = await ports.lock(tx, floatingPortId);
    await floatingIps.delete(tx, id);
    await notifyServers(tx, floatingIp.fixedPortId);
    await removePort(tx, port);
    await applyRouters(tx, routerId === null ? [] : [routerId]);
  }
}

/** Compute shows floating IPs among the addresses of a server. */
async function notifyServers(
  tx: RequestContext,
  ...portIds: readonly (string | null | undefined)[]
): Promise<void> {
  const known = portIds.filter((id) => id != null);
  for (const id of new Set(known)) await notifyCompute(tx, id, 'network-changed');
}

/** @throws BadRequestError for an address without its port */
function askedPort({
  fixedPortId: portId,
  fixedIpAddress: address,
}: FloatingIpChange): AskedPort | undefined {
  if (portId) return { portId, address: address ?? undefined };
  if (!address) return undefined;
  const reason = 'fixed_ip_address cannot be specified without a port_id';
  throw new BadRequestError('floatingip', reason);
}

function leadingTo({ portId, address, routerId }: TargetPort): Partial<FloatingIp> {
  return { fixedPortId: portId, fixedIpAddress: address, routerId };
}

async function externalNetwork(tx: RequestContext, id: string): Promise<string> {
  const network = await networks.get(tx, id, visibleNetworks(tx));
  if (!network.isExternal) {
    throw new BadRequestError(
      'floatingip',
      `Network ${network.id} is not a valid external network`,
    );
  }
  const all = await subnets.select(tx, [equals('networkId', network.id), equals('ipVersion', 4)]);
  if (all.length > 0) return network.id;
  throw new BadRequestError('floatingip', `Network ${network.id} does not contain any IPv4 subnet`);
}
