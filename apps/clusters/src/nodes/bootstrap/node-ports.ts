/**
 * Verifies a node's address with the network service. A certificate for another's address would let
 * a compromised node impersonate that one.
 */
import { Injectable } from '@nestjs/common';
import { asService } from '@cumulet/clients/http/actor';
import { NetworkClient } from '@cumulet/clients/network/network-client';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForeignAddressError } from '../node.errors.js';
import type { Node } from '../node.entity.js';

@Injectable()
export class NodePorts {
  constructor(private readonly networks: NetworkClient) {}

  /**
   * Nodes without a port, such as simulated ones, are not checked: nobody else has their addresses.
   * @throws ForeignAddressError
   */
  async check(
    ctx: RequestContext,
    projectId: string,
    { name }: Pick<Node, 'name'>,
    address: string,
  ): Promise<void> {
    const ports = await this.networks.ports(asService(ctx), { name, project_id: projectId });
    const known = ports.flatMap(({ addresses }) => addresses.map((one) => one.address));
    if (known.length > 0 && !known.includes(address)) throw new ForeignAddressError(name, address);
  }
}
