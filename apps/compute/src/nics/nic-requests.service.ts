/**
 * The NICs that a request is for, checked as its caller, by the network service's present answers.
 * Nothing is changed; later changes fail the work in the network service's words. Public source:
 * nova, `network/neutron.py`, `validate_networks`.
 */
import * as errors from './nic.errors.js';
import { BlockList } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { asCaller, asService } from '@cumulet/clients/http/actor';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { Network, Port, SecurityGroup } from '@cumulet/clients/network/network-wire';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ForbiddenError } from '@cumulet/common/errors/domain-error';
import { type Networks, NETWORKS } from '../networks.port.js';
import type { NetworkRequest, NetworkRequests } from '../servers/dto/network-requests.js';
import { SecurityGroupAmbiguousError, SecurityGroupNotFoundError } from './nic.errors.js';

/** A NIC as it was requested. */
export interface RequestedNic {
  /** Null for the network that the project gets with its first server. */
  readonly networkId: string | null;
  /** Null for a port to be created. */
  readonly portId: string | null;
  readonly address: string | null;
  /** Null for the project's default group. */
  readonly groupIds: readonly string[] | null;
  readonly tag: string | null;
}

interface NicsWanted {
  readonly networks: NetworkRequests;
  /** Names or IDs. */
  readonly groups: readonly string[];
  /** Number of servers with such NICs. */
  readonly count: number;
  /** The only server that gets them, if there is one. */
  readonly server?: { readonly id: string; readonly hostname: string };
  /** Whether errors are those of an attachment, rather than of a server's creation. */
  readonly attaching?: boolean;
}

@Injectable()
export class RequestedNicsService {
  constructor(@Inject(NETWORKS) private readonly networks: Networks | undefined) {}

  /** Whether the cloud has networks. */
  get isOffered(): boolean {
    return this.networks !== undefined;
  }

  /** @throws the errors of nic.errors.ts, as Nova does */
  async of(ctx: RequestContext, wanted: NicsWanted): Promise<RequestedNic[]> {
    const { networks } = this;
    if (!networks) return this.#without(wanted);
    if (wanted.networks === 'none') return [];
    const groupIds = await requestedGroups(ctx, networks, wanted.groups);
    const nics =
      typeof wanted.networks === 'string'
        ? await this.#whichever(ctx, networks, wanted)
        : await this.#named(ctx, networks, wanted.networks, wanted);
    const made = nics.filter(({ portId }) => portId === null).length * wanted.count;
    if (made > 0 && (await networks.freePorts(asCaller(ctx), ctx.projectId)) < made)
      throw new errors.PortLimitExceededError();
    return nics.map((nic) => ({ ...nic, groupIds: nic.portId === null ? groupIds : null }));
  }

  #without({ networks, groups }: NicsWanted): RequestedNic[] {
    if (typeof networks !== 'string') throw new errors.NoNetworkServiceError('server.networks');
    const named = groups.filter((name) => name !== 'default');
    if (named.length > 0) throw new errors.NoNetworkServiceError('server.security_groups');
    return [];
  }

  async #whichever(
    ctx: RequestContext,
    networks: Networks,
    { networks: word, attaching = false }: NicsWanted,
  ): Promise<Bare[]> {
    const actor = asCaller(ctx);
    const [own, shared] = await Promise.all([
      networks.networks(actor, { project_id: ctx.projectId, shared: 'false' }),
      networks.networks(actor, { shared: 'true' }),
    ]);
    const [network, ...others] = [...own, ...shared];
    if (others.length > 0) throw new errors.NetworkAmbiguousError();
    if (network) {
      refuseUnfit(ctx, network, attaching);
      return [{ ...NOTHING, networkId: network.id }];
    }
    if (attaching) throw new errors.NoNetworkAvailableError(ctx.projectId);
    if (word !== 'auto') return [];
    try {
      await networks.checkAutoAllocation(actor, ctx.projectId);
    } catch (error) {
      if (error instanceof ServiceRefusedError && error.status === 409)
        throw new errors.UnableToAutoAllocateNetworkError(ctx.projectId);
      throw error;
    }
    return [NOTHING];
  }

  async #named(
    ctx: RequestContext,
    networks: Networks,
    requests: readonly NetworkRequest[],
    wanted: NicsWanted,
  ): Promise<Bare[]> {
    const missing = wanted.attaching === true ? 'not-found' : 'invalid';
    const nics: Bare[] = [];
    const ids = requests.flatMap((one) => ('networkId' in one ? [one.networkId] : []));
    const known = await this.#networksOf(ctx, networks, ids, missing);
    for (const request of requests) {
      if ('portId' in request) {
        const port = await networks.port(asCaller(ctx), request.portId);
        if (!port) throw new errors.PortNotFoundError(request.portId, missing);
        refuseUnusable(ctx, port, wanted);
        const { id: portId, networkId } = port;
        nics.push({ networkId, portId, address: null, tag: request.tag });
        continue;
      }
      const { networkId, address, tag } = request;
      const network = known.get(networkId);
      if (network) refuseUnfit(ctx, network, wanted.attaching === true);
      if (network && address !== null)
        await this.#checkAddress(ctx, networks, network, address, wanted.attaching === true);
      nics.push({ networkId, portId: null, address, tag });
    }
    return nics;
  }

  async #networksOf(
    ctx: RequestContext,
    networks: Networks,
    ids: readonly string[],
    missing: 'invalid' | 'not-found',
  ): Promise<ReadonlyMap<string, Network>> {
    const asked = [...new Set(ids)];
    if (asked.length === 0) return new Map();
    const found = await networks.networks(asCaller(ctx), { id: asked });
    const known = new Map(found.map((network) => [network.id, network]));
    const lost = asked.filter((id) => !known.has(id));
    if (lost.length > 0) throw new errors.NetworkNotFoundError(lost, missing);
    return known;
  }

  async #checkAddress(
    ctx: RequestContext,
    networks: Networks,
    network: Network,
    address: string,
    attaching: boolean,
  ): Promise<void> {
    // Neutron lets a caller choose no address of others' networks; compute itself creates the port.
    if (network.projectId !== ctx.projectId && !ctx.isAdmin)
      throw new ForbiddenError('rule:create_port:fixed_ips:ip_address is disallowed by policy');
    const subnets = await networks.subnets(asCaller(ctx), { network_id: network.id });
    if (!subnets.some(({ cidr }) => isIn(cidr, address)))
      throw new errors.InvalidFixedIpError(address, network.id);
    const [taken] = await networks.ports(asService(ctx), {
      network_id: network.id,
      fixed_ips: `ip_address=${address}`,
    });
    if (!taken) return;
    const isOwn = taken.projectId === ctx.projectId && taken.deviceOwner.startsWith('compute:');
    const server = isOwn ? taken.deviceId : undefined;
    throw new errors.FixedIpAlreadyInUseError(address, server, attaching ? 'conflict' : 'invalid');
  }
}

type Bare = Omit<RequestedNic, 'groupIds'>;

const NOTHING: Bare = { networkId: null, portId: null, address: null, tag: null };

function refuseUnfit(ctx: RequestContext, network: Network, attaching: boolean): void {
  if (network.isExternal && !network.isShared && !ctx.isAdmin)
    throw new errors.ExternalNetworkAttachForbiddenError(network.id);
  if (network.subnetIds.length === 0 && !attaching)
    throw new errors.NetworkRequiresSubnetError(network.id);
}

function refuseUnusable(ctx: RequestContext, port: Port, { server }: NicsWanted): void {
  if (port.projectId !== ctx.projectId)
    throw new errors.PortNotUsableError(port.id, server?.id ?? '');
  if (port.deviceId !== '') throw new errors.PortInUseError(port.id);
  if (port.addresses.length === 0) throw new errors.PortRequiresFixedIpError(port.id);
  if (server && port.dnsName !== '' && port.dnsName !== server.hostname)
    throw new errors.PortNotUsableDnsError(port.id, server.id, port.dnsName, server.hostname);
}

function isIn(cidr: string, address: string): boolean {
  const [base = '', prefix = ''] = cidr.split('/');
  const family = (text: string): 'ipv4' | 'ipv6' => (text.includes(':') ? 'ipv6' : 'ipv4');
  const list = new BlockList();
  list.addSubnet(base, Number(prefix), family(base));
  return family(base) === family(address) && list.check(address, family(address));
}

/** The security groups that a request names. Public source: nova, `network/neutron.py`. */
const DEFAULT_GROUP = 'default';

/** @param names IDs or names @returns null for the default group alone, which ports have anyway */
async function requestedGroups(
  ctx: RequestContext,
  networks: Networks,
  names: readonly string[],
): Promise<string[] | null> {
  const asked = [...new Set(names)];
  if (asked.length === 0 || (asked.length === 1 && asked[0] === DEFAULT_GROUP)) return null;
  const groups: string[] = [];
  for (const name of asked) groups.push((await groupNamed(ctx, networks, name)).id);
  return [...new Set(groups)];
}

/**
 * Own groups before shared ones.
 * @throws SecurityGroupNotFoundError, SecurityGroupAmbiguousError
 */
export async function groupNamed(
  ctx: RequestContext,
  networks: Networks,
  name: string,
  missing: 'invalid' | 'not-found' = 'invalid',
): Promise<SecurityGroup> {
  const actor = asCaller(ctx);
  const filters = [
    { project_id: ctx.projectId, id: name },
    { project_id: ctx.projectId, name },
    { shared: 'true', id: name },
    { shared: 'true', name },
  ];
  for (const filter of filters) {
    const [found, other] = await networks.securityGroups(actor, filter);
    if (other) throw new SecurityGroupAmbiguousError(name);
    if (found) return found;
  }
  throw new SecurityGroupNotFoundError(name, missing);
}
