import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { reachable } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { isUuid } from '@cumulet/common/context/ids';
import { inTransaction } from '@cumulet/common/database/transaction';
import { equals } from '@cumulet/common/tables/condition';
import type { PageOfRows } from '@cumulet/common/tables/table';
import { pageOf, type Query } from '@cumulet/common/resources/list-query';
import { BadRequestError } from '@cumulet/common/resources/resource.errors';
import { freeUnforwarded, markAssociated } from '../floatingips/associations.js';
import { floatingIps, type FloatingIp } from '../floatingips/floatingip.entity.js';
import { FloatingIPPortAlreadyAssociatedError } from '../floatingips/floatingip.errors.js';
import { expectWithin } from '../resource/bounds.js';
import { applyRouters, lockRouters, lockThrough } from '../router-locks/router-locks.js';
import { PortForwarding, type Ports } from './port-forwarding.resource.js';
import {
  PortForwardingNotFoundError,
  PortHasBindingFloatingIPError,
} from './port-forwarding.errors.js';
import { portForwardingResource } from './port-forwarding.resource.js';
import type { NewPortForwarding, PortForwardingChange } from './port-forwarding.resource.js';
import { rangeFrom, refuseCollision, refuseUneven, type PortRange } from './port-ranges.js';
import {
  routerTo,
  v4Of,
  type AskedPort,
  type TargetPort,
} from '../floatingips/association-target.js';
import { ports, visiblePorts } from '../ports/port.repository.js';
import { resourceTable } from '../resource/resource.table.js';

export const portForwardings = resourceTable(PortForwarding, PortForwardingNotFoundError);

const NO_ID = '00000000-0000-0000-0000-000000000000';
const asKey = (id: string): string => (isUuid(id) ? id : NO_ID);

/** Whoever may see or change a floating IP may do so with its port forwardings. */
@Injectable()
export class PortForwardingsService {
  async list(ctx: RequestContext, ip: string, query: Query): Promise<PageOfRows<PortForwarding>> {
    const { id } = await this.floatingIp(ctx, ip);
    const page = pageOf<PortForwarding>(portForwardingResource, query, ctx);
    const { marker: given } = page;
    const marker = typeof given === 'string' ? asKey(given) : given;
    return portForwardings.list(ctx, { ...page, marker, scope: [equals('floatingIpId', id)] });
  }

  async get(ctx: RequestContext, ip: string, id: string): Promise<PortForwarding> {
    const { id: floatingIpId } = await this.floatingIp(ctx, ip);
    return portForwardings.get(ctx, asKey(id), [equals('floatingIpId', floatingIpId)]);
  }

  create(
    ctx: RequestContext,
    ip: string,
    bodies: readonly NewPortForwarding[],
  ): Promise<PortForwarding[]> {
    return inTransaction(ctx, async (tx) => {
      const made: PortForwarding[] = [];
      for (const body of bodies) made.push(await this.make(tx, ip, body));
      return made;
    });
  }

  update(
    ctx: RequestContext,
    ip: string,
    id: string,
    body: PortForwardingChange,
  ): Promise<PortForwarding> {
    return inTransaction(ctx, async (tx) => {
      const before = await this.get(tx, ip, id);
      const seen = await this.floatingIp(tx, ip);
      const forwarded = await lockForwarded(tx, seen, {
        portId: body.internalPortId ?? before.internalPortId,
        address: body.internalIpAddress ?? unchangedAddress(before, body),
      });
      const floatingIp = await floatingIps.lock(tx, seen.id);
      const next = {
        ...wanted(body, before),
        ...inside(forwarded),
        description: body.description ?? before.description,
      };
      await this.check(tx, floatingIp, forwarded, { ...next, id: before.id });
      const revisionNumber = before.revisionNumber + 1;
      await portForwardings.update(tx, before.id, { ...next, revisionNumber });
      await this.assignRouter(tx, floatingIp, forwarded.routerId);
      return portForwardings.get(tx, before.id);
    });
  }

  remove(ctx: RequestContext, ip: string, id: string): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      const { routerId } = await this.floatingIp(tx, ip);
      await lockRouters(tx, [routerId]);
      const { id: own } = await this.get(tx, ip, id);
      await portForwardings.delete(tx, own);
      await freeUnforwarded(tx, asKey(ip));
      await applyRouters(tx, routerId === null ? [] : [routerId]);
    });
  }

  private floatingIp(ctx: RequestContext, id: string): Promise<FloatingIp> {
    return floatingIps.get(ctx, asKey(id), reachable(ctx));
  }

  private async make(
    tx: RequestContext,
    ip: string,
    body: NewPortForwarding,
  ): Promise<PortForwarding> {
    const seen = await this.floatingIp(tx, ip);
    const forwarded = await lockForwarded(tx, seen, {
      portId: body.internalPortId,
      address: body.internalIpAddress,
    });
    const floatingIp = await floatingIps.lock(tx, seen.id);
    const row = {
      ...wanted(body),
      ...inside(forwarded),
      description: body.description,
      floatingIpId: floatingIp.id,
    };
    const before = await portForwardings.countOf(tx, [equals('floatingIpId', floatingIp.id)]);
    expectWithin('port_forwardings', before + 1, before);
    await this.check(tx, floatingIp, forwarded, row);
    const { projectId } = floatingIp;
    const made = await portForwardings.insert(tx, { id: randomUUID(), projectId, ...row });
    await this.assignRouter(tx, floatingIp, forwarded.routerId);
    return made;
  }

  /** @throws BadRequestError for ports that are forwarded already */
  private async check(
    tx: RequestContext,
    floatingIp: FloatingIp,
    { portId, address, routerId }: TargetPort,
    row: Pick<PortForwarding, 'protocol'> & Ports & { readonly id?: string },
  ): Promise<void> {
    const { id, floatingIpAddress, floatingNetworkId } = floatingIp;
    if (floatingIp.fixedPortId !== null) {
      throw new FloatingIPPortAlreadyAssociatedError({
        id,
        floatingIpAddress,
        floatingNetworkId,
        portId,
        fixedIpAddress: address,
      });
    }
    if (floatingIp.routerId !== null && floatingIp.routerId !== routerId) {
      throw new BadRequestError(
        'port_forwarding',
        `The Floating IP ${id} had been set on router ${floatingIp.routerId}, the internal Neutron port ${portId} can not reach it`,
      );
    }
    const { protocol } = row;
    const external: PortRange = [row.externalFirst, row.externalLast];
    const internal: PortRange = [row.internalFirst, row.internalLast];
    refuseUneven(external, internal);
    const others = async (where: Partial<PortForwarding>): Promise<PortForwarding[]> => {
      const same = Object.entries({ ...where, protocol });
      const rows = await portForwardings.select(
        tx,
        same.map(([property, value]) => equals(property, value)),
      );
      return rows.filter((one) => one.id !== row.id);
    };
    const inner = await others({ internalPortId: portId, internalIpAddress: address });
    refuseCollision(
      'internal_port_range',
      internal,
      inner.map((one) => [one.internalFirst, one.internalLast] as const),
    );
    const outer = await others({ floatingIpId: id });
    refuseCollision(
      'external_port_range',
      external,
      outer.map((one) => [one.externalFirst, one.externalLast] as const),
    );
  }

  /** The floating IP uses this router from now on. */
  private async assignRouter(
    tx: RequestContext,
    { id }: FloatingIp,
    routerId: string,
  ): Promise<void> {
    await floatingIps.update(tx, id, { routerId });
    await markAssociated(tx, id);
    await applyRouters(tx, [routerId]);
  }
}

/** @throws BadRequestError if a new port forwarding has no ports */
function wanted(
  body: PortForwardingChange,
  before?: PortForwarding,
): Pick<PortForwarding, keyof Ports | 'protocol'> {
  const external =
    rangeFrom(body.externalPort, body.externalPortRange) ??
    (before && ([before.externalFirst, before.externalLast] as const));
  const internal =
    rangeFrom(body.internalPort, body.internalPortRange) ??
    (before && ([before.internalFirst, before.internalLast] as const));
  if (!external || !internal) {
    const missing = external ? 'internal' : 'external';
    throw new BadRequestError(
      'port_forwarding',
      `Either ${missing}_port or ${missing}_port_range must be specified`,
    );
  }
  return {
    protocol: body.protocol ?? before?.protocol ?? '',
    externalFirst: external[0],
    externalLast: external[1],
    internalFirst: internal[0],
    internalLast: internal[1],
  };
}

function inside({
  portId,
  address,
}: TargetPort): Pick<PortForwarding, 'internalPortId' | 'internalIpAddress'> {
  return { internalPortId: portId, internalIpAddress: address };
}

/** Undefined if the port changes, since another port has other addresses. */
function unchangedAddress(
  { internalPortId, internalIpAddress }: PortForwarding,
  { internalPortId: portId = internalPortId }: PortForwardingChange,
): string | undefined {
  return portId === internalPortId ? internalIpAddress : undefined;
}

/**
 * Locks the internal port and its router until the transaction ends. Public source: neutron,
 * `_find_a_router_for_fip_port_forwarding` in `services/portforwarding/pf_plugin.py`.
 */
async function lockForwarded(
  tx: RequestContext,
  floatingIp: FloatingIp,
  asked: AskedPort,
): Promise<TargetPort> {
  const forwarded = (): Promise<TargetPort> => forwardedPort(tx, floatingIp, asked);
  await lockThrough(
    tx,
    async () => [(await forwarded()).routerId, (await floatingIps.get(tx, floatingIp.id)).routerId],
    async () => {
      // Exclusively, since port forwardings of other floating IPs may lead to the same ports.
      await ports.select(tx, [equals('id', asked.portId)], 'FOR NO KEY UPDATE');
      await floatingIps.lock(tx, floatingIp.id);
    },
  );
  return forwarded();
}

async function forwardedPort(
  tx: RequestContext,
  { id, floatingNetworkId }: FloatingIp,
  { portId, address }: AskedPort,
): Promise<TargetPort> {
  const port = await ports.get(tx, portId, visiblePorts(tx));
  const all = v4Of(port.fixedIps);
  if (all.length === 0) {
    throw new BadRequestError(
      'port_forwarding',
      `Requested internal port ${portId} must allocate an IPv4 address at least`,
    );
  }
  const fixed = address === undefined ? all[0] : all.find((one) => one.ip_address === address);
  if (!fixed) {
    throw new BadRequestError(
      'port_forwarding',
      `Requested internal IP address ${address ?? ''} is not suitable for internal neutron port ${portId}, as its fixed_ips are ${all.map((one) => one.ip_address).join(', ')}`,
    );
  }
  const [bound] = await floatingIps.select(tx, [equals('fixedPortId', port.id)]);
  if (bound) {
    throw new PortHasBindingFloatingIPError(
      bound.floatingIpAddress,
      bound.id,
      port.id,
      fixed.ip_address,
    );
  }
  const routerId = await routerTo(tx, port, fixed.subnet_id, floatingNetworkId);
  if (routerId === undefined) {
    throw new BadRequestError(
      'port_forwarding',
      `External network ${floatingNetworkId} is not reachable from subnet ${fixed.subnet_id}. Cannot set Port forwarding for port ${portId} with Floating IP ${id}`,
    );
  }
  return { portId: port.id, address: fixed.ip_address, routerId };
}
