/**
 * Changes of a server's groups and addresses, which the network service makes as the caller. Public
 * source: Nova API reference, "Servers - run an action"; nova, `network/security_group_api.py`.
 */
import { Inject, Injectable } from '@nestjs/common';
import { asCaller } from '@cumulet/clients/http/actor';
import type { Port, PortChange, SecurityGroup } from '@cumulet/clients/network/network-wire';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { type Networks, NETWORKS } from '../networks.port.js';
import type { Server } from '../servers/server.entity.js';
import * as errors from './nic.errors.js';
import { NicPortsService } from './nic-ports.service.js';
import { NicRepository } from './nic.repository.js';
import { groupNamed } from './nic-requests.service.js';

@Injectable()
export class ServerPortsService {
  constructor(
    private readonly nics: NicRepository,
    private readonly nicPorts: NicPortsService,
    @Inject(NETWORKS) private readonly configured: Networks | undefined,
  ) {}

  /** By project and name. */
  async groups(ctx: RequestContext, server: Server): Promise<SecurityGroup[]> {
    if (!this.configured) return [];
    const ids = (await this.#ports(ctx, server)).flatMap((port) => port.securityGroupIds);
    if (ids.length === 0) return [];
    const groups = await this.configured.securityGroups(asCaller(ctx), { id: [...new Set(ids)] });
    return groups.sort(
      (one, other) =>
        one.projectId.localeCompare(other.projectId) || one.name.localeCompare(other.name),
    );
  }

  /** @param name or ID of the group for all of the server's ports */
  async addGroup(ctx: RequestContext, server: Server, name: string): Promise<void> {
    const { id } = await groupNamed(ctx, this.#networks, name, 'not-found');
    const ports = await this.#portsOr404(ctx, server);
    const isFit = ({ isSecured, addresses }: Port): boolean => isSecured && addresses.length > 0;
    if (!ports.every(isFit)) throw new errors.SecurityGroupCannotBeAppliedError();
    for (const port of ports.filter((one) => !one.securityGroupIds.includes(id)))
      await this.#change(ctx, port, { securityGroupIds: [...port.securityGroupIds, id] });
  }

  /** @throws SecurityGroupNotAssociatedError if no port is in it */
  async removeGroup(ctx: RequestContext, server: Server, name: string): Promise<void> {
    const { id } = await groupNamed(ctx, this.#networks, name, 'not-found');
    const ports = await this.#portsOr404(ctx, server);
    const inGroup = ports.filter((one) => one.securityGroupIds.includes(id));
    if (inGroup.length === 0) throw new errors.SecurityGroupNotAssociatedError(name, server.id);
    for (const port of inGroup) {
      const securityGroupIds = port.securityGroupIds.filter((one) => one !== id);
      await this.#change(ctx, port, { securityGroupIds });
    }
  }

  /** Gives the server's port on a network another address. */
  async addAddress(ctx: RequestContext, server: Server, networkId: string): Promise<void> {
    const port = (await this.#ports(ctx, server)).find((one) => one.networkId === networkId);
    if (!port) throw new errors.NetworkNotFoundForInstanceError(server.id);
    const [subnet] = await this.#networks.subnets(asCaller(ctx), { network_id: networkId });
    if (!subnet) throw new errors.NetworkRequiresSubnetError(networkId);
    await this.#change(ctx, port, { addresses: [...port.addresses, { subnetId: subnet.id }] });
  }

  async removeAddress(ctx: RequestContext, server: Server, address: string): Promise<void> {
    const has = (port: Port): boolean => port.addresses.some((one) => one.address === address);
    const port = (await this.#ports(ctx, server)).find(has);
    if (!port)
      throw new InvalidInputError(`Instance ${server.id} does not have fixed IP '${address}'.`);
    const addresses = port.addresses.filter((one) => one.address !== address);
    await this.#change(ctx, port, { addresses });
  }

  async #change(ctx: RequestContext, port: Port, change: PortChange): Promise<void> {
    await this.#networks.changePort(asCaller(ctx), port.id, change);
    const [nic] = await this.nics.withPorts(ctx, [port.id]);
    if (nic) await this.nicPorts.refresh(ctx, nic);
  }

  async #portsOr404(ctx: RequestContext, server: Server): Promise<Port[]> {
    const ports = await this.#ports(ctx, server);
    if (ports.length === 0) throw new errors.NoPortsError(server.id);
    return ports;
  }

  async #ports(ctx: RequestContext, server: Server): Promise<Port[]> {
    const nics = await this.nics.ofServer(ctx, server.id);
    if (nics.length === 0) return [];
    const ports = await this.#networks.ports(asCaller(ctx), { device_id: server.id });
    return ports.filter(({ id }) => nics.some(({ portId }) => portId === id));
  }

  get #networks(): Networks {
    if (this.configured) return this.configured;
    throw new errors.NoNetworkServiceError('this');
  }
}
