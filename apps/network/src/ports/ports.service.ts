import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { actsAcrossProjects, mayActOn } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { nudge } from '@cumulet/common/jobs/nudge';
import { initialState, transition } from '@cumulet/common/states/transition';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import type { Network } from '../networks/network.entity.js';
import { NetworkNotFoundError } from '../networks/network.errors.js';
import { networks, visibleNetworks } from '../networks/networks.service.js';
import { PolicyNotAuthorizedError } from '../resource/resource.errors.js';
import { ResourceService } from '../resource/resource.service.js';
import { isRouterPort, wantedAddresses } from './fixed-ips.js';
import { freeMac } from './mac-addresses.js';
import { changedAddresses } from './changed-addresses.js';
import { freeAddresses, lockSubnets, takeAddresses } from './port-addresses.js';
import { groupsOf, joinGroups } from './port-groups.js';
import { dhcpOptionsOf, pairsOf } from './port-options.js';
import { Port, type FixedIp } from './port.entity.js';
import * as errors from './port.errors.js';
import { portResource, type NewPort } from './port.resource.js';
import type { AskedFixedIp, PortAttributes, PortChange } from './port.resource.js';
import { portStates } from './port.states.js';

export const ports = new Table(Port, {
  missing: (key) => new errors.PortNotFoundError(typeof key === 'string' ? key : key.id),
  touched: 'updatedAt',
  refusals: {
    ports_mac_key: ({ networkId, macAddress }) =>
      new errors.MacAddressInUseError(networkId ?? '', macAddress ?? ''),
  },
});

/** What the data plane need not be told of. */
const WORDS = ['name', 'description', 'device_id', 'binding:profile', 'dns_name'];

@Injectable()
export class PortsService extends ResourceService<Port, PortAttributes> {
  protected readonly resource = portResource;
  protected readonly table = ports;

  /** Its own, and all on its own networks. */
  protected visible(ctx: RequestContext): Condition[] {
    const present: Condition = (_, column) => `${column('state')} <> 'removing'`;
    if (actsAcrossProjects(ctx)) return [present];
    return [
      present,
      (bind, column) => {
        const project = bind(ctx.projectId);
        return `${column('projectId')} = ${project} OR ${column('networkId')} IN (
          SELECT id FROM networks WHERE project_id = ${project})`;
      },
    ];
  }

  protected override async ownsNetwork(
    ctx: RequestContext,
    of: { readonly body: NewPort } | { readonly row: Port },
  ): Promise<boolean> {
    const id = 'row' in of ? of.row.networkId : of.body.network_id;
    const network = await networks.find(ctx, id);
    return network !== undefined && mayActOn(ctx, network.projectId);
  }

  /** Whoever has addresses of one network may want those of another, which somebody else has. */
  protected override async prepare(tx: RequestContext, bodies: readonly NewPort[]): Promise<void> {
    const ids = new Set(bodies.map(({ network_id }) => network_id));
    for (const id of [...ids].sort()) {
      await lockNetwork(tx, id);
      await lockSubnets(tx, id);
    }
  }

  protected async make(tx: RequestContext, body: NewPort): Promise<Port> {
    const network = await lockNetwork(tx, body.network_id);
    this.refuseServiceOwner(tx, 'create', network, body.device_owner);
    this.refuseChosen(tx, 'create', network, body.fixed_ips);
    const all = await lockSubnets(tx, network.id);
    const macAddress = body.mac_address ?? (await freeMac(tx, network.id));
    const portSecurityEnabled = body.port_security_enabled ?? network.portSecurityEnabled;
    const pairs = body.allowed_address_pairs;
    const { fixed_ips: asked, security_groups: groups, ...rest } = body;
    const port = await ports.insert(tx, {
      ...this.columnsOf(rest),
      id: randomUUID(),
      projectId: tx.projectId,
      macAddress,
      portSecurityEnabled,
      allowedAddressPairs: pairsOf(pairs, { macAddress, portSecurityEnabled }),
      extraDhcpOpts: dhcpOptionsOf(body.extra_dhcp_opts, []),
      ...initialState(portStates),
    });
    await takeAddresses(tx, port, wantedAddresses(port, all, asked));
    await joinGroups(tx, port.id, await groupsOf(tx, port, groups));
    await nudge(tx, { task: 'port', resource: 'port', id: port.id });
    return ports.get(tx, port.id);
  }

  protected async change(tx: RequestContext, port: Port, body: PortChange): Promise<Port> {
    const network = await networks.get(tx, port.networkId);
    this.refuseServiceOwner(tx, 'update', network, body.device_owner);
    this.refuseChosen(tx, 'update', network, body.fixed_ips, port.fixedIps);
    const macAddress = body.mac_address ?? port.macAddress;
    if (macAddress !== port.macAddress && port.hostId !== '' && body['binding:host_id'] !== '')
      throw new errors.PortBoundError(port.id, port.macAddress, macAddress);
    const { fixed_ips: asked, security_groups: groups, ...rest } = body;
    const columns = this.columnsOf(rest);
    const next = Object.assign({}, port, columns);
    if (asked !== undefined) {
      const all = await lockSubnets(tx, port.networkId);
      const { gone, wanted, kept } = changedAddresses(next, all, asked);
      await freeAddresses(tx, port, gone, all);
      await takeAddresses(tx, port, wanted, kept);
    }
    const joined = await groupsOf(tx, next, groups ?? port.securityGroups);
    if (groups !== undefined) await joinGroups(tx, port.id, joined);
    await this.save(tx, port, {
      ...columns,
      allowedAddressPairs: pairsOf(body.allowed_address_pairs ?? port.allowedAddressPairs, next),
      extraDhcpOpts: dhcpOptionsOf(body.extra_dhcp_opts ?? [], port.extraDhcpOpts),
    });
    if (Object.keys(body).some((name) => !WORDS.includes(name))) await this.reapply(tx, port);
    return ports.get(tx, port.id);
  }

  /** Its addresses are free at once: the data plane lets go of the port by its id. */
  protected async erase(tx: RequestContext, port: Port): Promise<void> {
    if (isRouterPort(port)) throw new errors.ServicePortInUseError(port.id, port.deviceOwner);
    const all = await lockSubnets(tx, port.networkId);
    await freeAddresses(tx, port, port.fixedIps, all);
    await joinGroups(tx, port.id, []);
    await transition(tx, portStates, port.id, 'remove');
    await nudge(tx, { task: 'port', resource: 'port', id: port.id });
  }

  private async reapply(tx: RequestContext, { id, state }: Port): Promise<void> {
    const isUp = state === 'active' || state === 'updating';
    await transition(tx, portStates, id, isUp ? 'update' : 'build');
    await nudge(tx, { task: 'port', resource: 'port', id });
  }

  /**
   * On a network of others, a port's owner says which subnets it has addresses of, not which.
   * @param before addresses that it has already
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

  /** What the network does for itself, only services and the network's owner do in its name. */
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

/** A network that the caller may have ports on; it does not go before the transaction ends. */
async function lockNetwork(tx: RequestContext, id: string): Promise<Network> {
  const [network] = await networks.select(
    tx,
    [equals('id', id), ...visibleNetworks(tx)],
    'FOR SHARE',
  );
  if (!network) throw new NetworkNotFoundError(id);
  if (!network.shared && !mayActOn(tx, network.projectId))
    throw new PolicyNotAuthorizedError('create_port');
  return network;
}
