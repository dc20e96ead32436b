import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { nudge } from '@cumulet/common/jobs/nudge';
import { initialState } from '@cumulet/common/states/transition';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import {
  BadRequestError,
  PolicyNotAuthorizedError,
} from '@cumulet/common/resources/resource.errors';
import { isSharedWith } from '../rbac-policies/sharing.js';
import type { Network } from '../networks/network.entity.js';
import { NetworkNotFoundError } from '../networks/network.errors.js';
import { networks, reapply, visibleNetworks } from '../networks/networks.service.js';
import { changePolicy, usePolicy } from '../qos/qos-binding.js';
import { ResourceService } from '../resource/resource.service.js';
import { notifyCompute } from '../server-events/notify-compute.js';
import { wantedAddresses, changedAddresses } from './fixed-ips.js';
import { applyRouters, lockThrough, routerOf, routersTo } from '../router-locks/router-locks.js';
import { removePort, reapplyPort } from './apply-port.js';
import {
  freeMac,
  freeAddresses,
  lockSubnets,
  requireSubnets,
  allocateAddresses,
} from './port-addresses.js';
import { groupsOf, joinGroups } from './port-groups.js';
import { dhcpOptionsOf, pairsOf } from './port-options.js';
import type { Port } from './port.entity.js';
import * as errors from './port.errors.js';
import { ports, visiblePorts } from './port.repository.js';
import { portResource } from './port.resource.js';
import type {
  AskedFixedIp,
  FixedIp,
  NewPort,
  PortAttributes,
  PortChange,
} from './port.resource.js';
import { portStates } from './port.states.js';
import { portUsers } from './port-users.js';

/** Attributes that the data plane does not use. */
const WORDS = ['name', 'description', 'dns_name'];

@Injectable()
export class PortsService extends ResourceService<Port, PortAttributes> {
  protected readonly resource = portResource;
  protected readonly table = ports;

  protected override visible(ctx: RequestContext): Condition[] {
    return visiblePorts(ctx);
  }

  protected override async ownsParent(
    ctx: RequestContext,
    of: { readonly body: NewPort } | { readonly row: Port },
  ): Promise<boolean> {
    const id = 'row' in of ? of.row.networkId : of.body.networkId;
    const network = await networks.find(ctx, id);
    return network !== undefined && mayActOn(ctx, network.projectId);
  }

  /** The owner of a network may delete other projects' ports on it, but not change them. */
  protected override async mayChange(
    ctx: RequestContext,
    row: Port,
    verb: 'update' | 'delete',
  ): Promise<boolean> {
    if (mayActOn(ctx, row.projectId)) return true;
    return verb === 'delete' && (await this.ownsParent(ctx, { row }));
  }

  /**
   * Locks all networks first, in a fixed order, so that concurrent requests for addresses of
   * several networks do not deadlock.
   */
  protected override async prepare(tx: RequestContext, bodies: readonly NewPort[]): Promise<void> {
    const ids = new Set(bodies.map(({ networkId: network_id }) => network_id));
    for (const id of [...ids].sort()) {
      await lockNetwork(tx, id);
      await lockSubnets(tx, id);
    }
  }

  protected override async make(tx: RequestContext, body: NewPort): Promise<Port> {
    const network = await lockNetwork(tx, body.networkId);
    this.refuseServiceOwner(tx, 'create', network, body.deviceOwner);
    this.refuseChosen(tx, 'create', network, body.fixedIps);
    const all = await lockSubnets(tx, network.id);
    await requireSubnets(tx, all, body.fixedIps);
    const macAddress = body.macAddress ?? (await freeMac(tx, network.id));
    const portSecurityEnabled = body.portSecurityEnabled ?? network.portSecurityEnabled;
    const pairs = body.allowedAddressPairs;
    const { fixedIps: asked, securityGroups: groups, ...rest } = body;
    const id = randomUUID();
    if (body.qosPolicyId !== null) await usePolicy(tx, body.qosPolicyId, { kind: 'port', id });
    const port = await ports.insert(tx, {
      ...this.columnsOf(rest),
      id,
      projectId: tx.projectId,
      macAddress,
      portSecurityEnabled,
      allowedAddressPairs: pairsOf(pairs, { macAddress, portSecurityEnabled }),
      extraDhcpOpts: dhcpOptionsOf(body.extraDhcpOpts, []),
      ...initialState(portStates),
    });
    await allocateAddresses(tx, port, wantedAddresses(port, all, asked));
    await joinGroups(tx, port.id, await groupsOf(tx, port, groups));
    await nudge(tx, { task: 'port', resource: 'port', id: port.id });
    return ports.get(tx, port.id);
  }

  protected override async change(tx: RequestContext, port: Port, body: PortChange): Promise<Port> {
    const routers = await routersAt(tx, port.id);
    const router = await routerOf(tx, port.id);
    const served = await servedNetwork(tx, port.id);
    const device = router ?? (served === undefined ? undefined : port.deviceId);
    if (device !== undefined) refuseOtherDevice(port, device, body);
    const network = await networks.get(tx, port.networkId);
    this.refuseServiceOwner(tx, 'update', network, body.deviceOwner);
    this.refuseChosen(tx, 'update', network, body.fixedIps, port.fixedIps);
    const macAddress = body.macAddress ?? port.macAddress;
    if (macAddress !== port.macAddress && port.hostId !== '' && body.hostId !== '')
      throw new errors.PortBoundError(port.id, port.macAddress, macAddress);
    if (body.qosPolicyId !== undefined)
      await changePolicy(tx, port.qosPolicyId, body.qosPolicyId, { kind: 'port', id: port.id });
    const { fixedIps: asked, securityGroups: groups, ...rest } = body;
    const columns = this.columnsOf(rest);
    const next = Object.assign({}, port, columns);
    let isReaddressed = macAddress !== port.macAddress;
    if (asked !== undefined) {
      if (router !== undefined && asked.length === 0)
        throw new BadRequestError('router', 'Router port must have at least one fixed IP');
      const all = await lockSubnets(tx, port.networkId);
      await requireSubnets(tx, all, asked);
      const { gone, wanted, kept } = changedAddresses(next, all, asked);
      const stay = port.fixedIps.filter((one) => !gone.includes(one));
      const addresses = stay.map(({ ip_address }) => ip_address);
      for (const user of portUsers) await user.releaseAddresses?.(tx, port.id, addresses);
      await freeAddresses(tx, port, gone, all);
      await allocateAddresses(tx, port, wanted, kept);
      isReaddressed ||= gone.length > 0 || wanted.length > 0;
      if (router !== undefined) for (const user of portUsers) await user.readdressed?.(tx, router);
    }
    const joined = await groupsOf(tx, next, groups ?? port.securityGroups);
    if (groups !== undefined) await joinGroups(tx, port.id, joined);
    await this.save(tx, port, {
      ...columns,
      allowedAddressPairs: pairsOf(body.allowedAddressPairs ?? port.allowedAddressPairs, next),
      extraDhcpOpts: dhcpOptionsOf(body.extraDhcpOpts ?? [], port.extraDhcpOpts),
    });
    if (next.hostId !== port.hostId) await ports.removeBinding(tx, port.id, next.hostId);
    if (isReaddressed) await notifyCompute(tx, port.id, 'network-changed');
    if (Object.keys(body).some((name) => !WORDS.includes(name))) {
      await reapplyPort(tx, port);
      await applyRouters(tx, routers);
      if (served !== undefined) await reapply(tx, served);
    }
    return ports.get(tx, port.id);
  }

  protected override async erase(tx: RequestContext, port: Port): Promise<void> {
    await refuseIfServed(tx, port);
    for (const user of portUsers) await user.refuseRemoval?.(tx, port.id);
    const routers = await routersTo(tx, port.id);
    for (const user of portUsers) await user.release?.(tx, port.id);
    await notifyCompute(tx, port.id, 'network-vif-deleted');
    await removePort(tx, port);
    await applyRouters(tx, routers);
  }

  /** Routers and networks are locked before ports, as by everyone who changes them. */
  protected override async lockOwn(
    ...[tx, id, ...rest]: Parameters<ResourceService<Port, PortAttributes>['lockOwn']>
  ): Promise<Port> {
    const seen = await this.get(tx, id);
    return lockThrough(
      tx,
      () => routersAt(tx, seen.id),
      async () => {
        const served = await servedNetwork(tx, seen.id);
        if (served !== undefined) await networks.lock(tx, served);
        return super.lockOwn(tx, id, ...rest);
      },
    );
  }

  /**
   * On another project's network, the port's owner may choose subnets, but not addresses.
   * @param before the addresses that it already has
   */
  private refuseChosen(
    tx: RequestContext,
    verb: 'create' | 'update',
    network: Network,
    asked: readonly AskedFixedIp[] = [],
    before: readonly FixedIp[] = [],
  ): void {
    const isNew = ({ ip_address }: AskedFixedIp): boolean =>
      ip_address !== undefined && !before.some((one) => one.ip_address === ip_address);
    if (asked.some(isNew) && !mayActOn(tx, network.projectId))
      throw new PolicyNotAuthorizedError(`${verb}_port:fixed_ips:ip_address`);
  }

  /** Only services and the network's owner may use the network service's device owners. */
  private refuseServiceOwner(
    tx: RequestContext,
    verb: 'create' | 'update',
    network: Network,
    owner: string | undefined,
  ): void {
    if (owner?.startsWith('network:') !== true || mayActOn(tx, network.projectId)) return;
    throw new PolicyNotAuthorizedError(`${verb}_port:device_owner`);
  }
}

/** Locks a network that the caller may create ports on against deletion. */
async function lockNetwork(tx: RequestContext, id: string): Promise<Network> {
  const [network] = await networks.select(
    tx,
    [equals('id', id), ...visibleNetworks(tx)],
    'FOR SHARE',
  );
  if (!network) throw new NetworkNotFoundError(id);
  // Checked under the lock, since policies change only under it.
  if (!mayActOn(tx, network.projectId) && !(await isSharedWith(tx, id, tx.projectId)))
    throw new PolicyNotAuthorizedError('create_port');
  return network;
}

/** The router of the port, and those through which floating IPs or port forwardings lead to it. */
async function routersAt(tx: RequestContext, portId: string): Promise<string[]> {
  const own = await routerOf(tx, portId);
  return [...(own === undefined ? [] : [own]), ...(await routersTo(tx, portId))];
}

async function servedNetwork(tx: RequestContext, portId: string): Promise<string | undefined> {
  for (const user of portUsers) {
    const id = await user.servedNetwork?.(tx, portId);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** A port that belongs to another resource is deleted with it. */
async function refuseIfServed(tx: RequestContext, { id, deviceOwner }: Port): Promise<void> {
  let isOwned = (await routerOf(tx, id)) !== undefined;
  for (const user of portUsers) isOwned ||= (await user.owns?.(tx, id)) === true;
  if (isOwned) throw new errors.ServicePortInUseError(id, deviceOwner);
}

/** Routers and networks keep their ports until they release them themselves. */
function refuseOtherDevice(port: Port, device: string, body: PortChange): void {
  const { deviceId: id = port.deviceId, deviceOwner: owner = port.deviceOwner } = body;
  if (id !== port.deviceId || owner !== port.deviceOwner)
    throw new errors.PortInUseError(port.id, port.networkId, device);
}
