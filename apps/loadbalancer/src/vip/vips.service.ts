/**
 * The ports of VIPs, as the service itself has them made, bound and let go, so that a delete works
 * though the user, its token or its trust is gone.
 *
 * Always holds: the key of the request that makes a port follows from the row, and so does the body.
 * So whoever comes after a crash gets the same port, to use or to delete it.
 */
import { Inject, Injectable } from '@nestjs/common';
import { asService } from '@cumulet/clients/http/actor';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { Port, SecurityGroup } from '@cumulet/clients/network/network-wire';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Feature } from '@cumulet/common/service/feature';
import type { LoadBalancerConfig } from '../config.js';
import type { Place } from '../data-plane/data-plane.js';
import {
  NETWORKS,
  type Networks,
  networksProvider,
  OWN_PROJECT,
  type OwnProject,
  ownProjectProvider,
} from '../network/networks.port.js';
import { featuresOf } from '../providers/providers.js';
import { Listener } from '../tree/listener.entity.js';
import { addressesOf, type LoadBalancer, loadBalancers } from '../tree/load-balancer.entity.js';
import { refuseOwnAddresses } from './member-addresses.js';
import {
  bindingOf,
  DEVICE_OWNER,
  deviceOf,
  differenceOf,
  isOnHost,
  type LetIn,
  newPortOf,
  rulesOf,
  VipBindingFailedError,
  VipHostUnknownError,
  vipOf,
  VipPortInUseError,
  VipPortMissingError,
} from './vip-port.js';

/** The namespace on hosts without network namespaces, where nothing is carried. */
const NOWHERE = 'simulated';

/** A new port needs its groups set: only those of the former port may be somebody else's. */
const GROUPS_DUE = { vipGroupsDue: true };

@Injectable()
export class VipsService {
  constructor(
    @Inject(NETWORKS) private readonly networks: Networks,
    @Inject(OWN_PROJECT) private readonly own: OwnProject,
    @Inject(CONFIG) private readonly config: LoadBalancerConfig,
  ) {}

  /**
   * Gives the load balancer the port of its VIP, and records it in the row. Idempotent.
   * @returns the row as it is now
   * @throws ServiceRefusedError in the words of the network service
   */
  async ensurePort(ctx: RequestContext, row: LoadBalancer): Promise<LoadBalancer> {
    if (row.vipPortId !== null && row.vipAddress !== null && row.ownsVipPort) return row;
    return fenced(async () => {
      if (!row.ownsVipPort) return this.#take(ctx, row);
      const now = await this.#record(ctx, row, await this.#made(ctx, row));
      await this.#prepareGroup(ctx, now);
      return now;
    });
  }

  /**
   * Has its addresses on the host that the row names, where its listeners' ports are let in.
   * @returns where they are; undefined while the network still works on it
   * @throws ServiceRefusedError
   */
  ensureBound(ctx: RequestContext, row: LoadBalancer): Promise<Place | undefined> {
    return fenced(async () => {
      const [{ port, row: now }, own] = await Promise.all([
        this.#present(ctx, row),
        this.#ownGroup(ctx, row),
      ]);
      const groups = groupsFor(now, port, own);
      const binding = bindingOf(now, port, groups);
      const bound = binding
        ? await this.networks.changePort(asService(ctx), port.id, binding, port.revision)
        : port;
      if (isOnHost(now)) {
        if (!this.config.loopbackMembers) await refuseOwnAddresses(ctx, now.id);
        return { kind: 'host' };
      }
      return placeOf(bound);
    });
  }

  /** Gives back what the load balancer has taken, once nothing of it runs any more. */
  release(ctx: RequestContext, { id }: LoadBalancer): Promise<void> {
    return fenced(async () => {
      // The request that made the port may have recorded it meanwhile.
      const row = await loadBalancers.get(ctx, id);
      const actor = asService(ctx);
      if (row.ownsVipPort) {
        const portId = row.vipPortId ?? (await this.#askedFor(ctx, row));
        if (portId !== undefined) await this.networks.deletePort(actor, portId);
      } else await this.#giveBack(ctx, row);
      if (isOnHost(row)) return;
      // No port is in it any more.
      for (const group of await this.#groupsOf(ctx, id))
        await this.networks.deleteSecurityGroup(actor, group.id);
    });
  }

  /** @param instead of a port that is gone */
  async #made(ctx: RequestContext, row: LoadBalancer, instead = ''): Promise<Port> {
    const networkId = row.vipNetworkId ?? (await this.#networkOf(ctx, row.vipSubnetId));
    const key = `vip-${row.id}${instead}`;
    return this.networks.createPort(asService(ctx), newPortOf(row, networkId), key);
  }

  /** A load balancer that was deleted meanwhile leaves no port. */
  async #record(
    ctx: RequestContext,
    row: LoadBalancer,
    port: Port,
    change: Partial<LoadBalancer> = {},
  ): Promise<LoadBalancer> {
    try {
      return await loadBalancers.update(ctx, row.id, { ...vipOf(port, row), ...change });
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not-found')
        await this.networks.deletePort(asService(ctx), port.id);
      throw error;
    }
  }

  /** The port that was given: nobody else gets it from now on. It keeps its QoS policy. */
  async #take(ctx: RequestContext, row: LoadBalancer): Promise<LoadBalancer> {
    const port = await this.#portOf(ctx, row.vipPortId);
    if (!port) throw new VipPortMissingError(row.vipPortId ?? '');
    const deviceId = deviceOf(row);
    if (port.deviceId === deviceId && row.vipAddress !== null) return row;
    if (port.deviceId !== '' && port.deviceId !== deviceId)
      throw new VipPortInUseError(port.id, port.deviceId);
    // Before it is taken: whoever comes after a crash would no longer know it from the load balancer's.
    const vipQosPolicyId = row.vipQosPolicyId ?? port.qosPolicyId;
    const now = await loadBalancers.update(ctx, row.id, { ...vipOf(port, row), vipQosPolicyId });
    const device = { deviceId, deviceOwner: DEVICE_OWNER };
    await this.networks.changePort(asService(ctx), port.id, device, port.revision);
    return now;
  }

  /** Its port, in whose place another with the same addresses is made if it is gone. */
  async #present(
    ctx: RequestContext,
    row: LoadBalancer,
  ): Promise<{ port: Port; row: LoadBalancer }> {
    const port = await this.#portOf(ctx, row.vipPortId);
    if (port) return { port, row };
    if (!row.ownsVipPort) throw new VipPortMissingError(row.vipPortId ?? '');
    const made = await this.#made(ctx, row, `-${row.vipPortId ?? ''}`);
    return { port: made, row: await this.#record(ctx, row, made, GROUPS_DUE) };
  }

  /** @returns the id of its own group; undefined where it has none */
  async #ownGroup(ctx: RequestContext, row: LoadBalancer): Promise<string | undefined> {
    // Security groups do not apply to the host itself, where HAProxy enforces the allowed CIDRs.
    if (isOnHost(row) || !featuresOf(row).usesVipPort || row.vipSgIds.length > 0) return undefined;
    const listeners = await selectRows(
      ctx.manager,
      Listener,
      `WHERE load_balancer_id = $1 AND provisioning_status <> 'PENDING_DELETE'`,
      [row.id],
    );
    const addresses = addressesOf(row).filter((one) => one !== null);
    const wanted = rulesOf(listeners, addresses);
    return this.#ensureGroup(ctx, row.id, wanted);
  }

  /** Makes it let in exactly this. @returns its id */
  async #ensureGroup(ctx: RequestContext, id: string, wanted: readonly LetIn[]): Promise<string> {
    const actor = asService(ctx);
    const projectId = await this.own.projectId();
    const [known] = await this.#groupsOf(ctx, id);
    const group =
      known ??
      (await this.networks.createSecurityGroup(actor, {
        projectId,
        name: deviceOf({ id }),
        description: `Listeners of load balancer ${id}`,
      }));
    const { missing, surplus } = differenceOf(wanted, group.rules);
    await this.networks.addRules(
      actor,
      projectId,
      missing.map((rule) => ({
        groupId: group.id,
        direction: 'ingress',
        ...rule,
        remoteGroupId: null,
      })),
    );
    for (const one of surplus) await this.networks.deleteRule(actor, one);
    return group.id;
  }

  /**
   * The security group that a VIP's port has unless its client gave it others. It is of the service's
   * own project, where no tenant sees it or has quota for it, and found again by its name. Public
   * source: octavia, `common/constants.py`, `VIP_SECURITY_GROUP_PREFIX`.
   */
  async #groupsOf(ctx: RequestContext, id: string): Promise<SecurityGroup[]> {
    const filter = { name: deviceOf({ id }), project_id: await this.own.projectId() };
    return this.networks.securityGroups(asService(ctx), filter);
  }

  /**
   * Makes its group while a host is chosen for it: the network needs a moment until ports can be in
   * one. What fails is tried again once it has the host.
   */
  async #prepareGroup(ctx: RequestContext, row: LoadBalancer): Promise<void> {
    try {
      const id = await this.#ownGroup(ctx, row);
      if (id === undefined || (await loadBalancers.find(ctx, row.id))) return;
      await this.networks.deleteSecurityGroup(asService(ctx), id);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }

  /** The port of a request whose answer is not known, by asking for it again. */
  async #askedFor(ctx: RequestContext, row: LoadBalancer): Promise<string | undefined> {
    try {
      return (await this.#made(ctx, row)).id;
    } catch (error) {
      if (error instanceof ServiceRefusedError) return undefined;
      throw error;
    }
  }

  /** Leaves a port that was given as it was: whoever has it meanwhile keeps it. */
  async #giveBack(ctx: RequestContext, row: LoadBalancer): Promise<void> {
    const actor = asService(ctx);
    const port = await this.#portOf(ctx, row.vipPortId);
    if (port?.deviceId !== deviceOf(row)) return;
    const own = isOnHost(row) ? [] : await this.#groupsOf(ctx, row.id);
    const kept = port.securityGroupIds.filter((id) => !own.some((group) => group.id === id));
    const nothing = { deviceId: '', deviceOwner: '', hostId: '', bindingProfile: {} };
    const groups = port.isSecured ? { securityGroupIds: kept } : {};
    await this.networks.changePort(actor, port.id, { ...nothing, ...groups }, port.revision);
  }

  async #portOf(ctx: RequestContext, id: string | null): Promise<Port | undefined> {
    return id === null ? undefined : this.networks.port(asService(ctx), id);
  }

  async #networkOf(ctx: RequestContext, subnetId: string | null): Promise<string> {
    const [subnet] = await this.networks.subnets(asService(ctx), { id: subnetId ?? '' });
    if (!subnet) throw new DomainError('invalid', `Subnet ${subnetId ?? ''} could not be found.`);
    return subnet.networkId;
  }
}

/**
 * Those that its client has given it since stay while only parts of the load balancer change.
 * Public source: octavia, `flows/load_balancer_flows.py` and `listener_flows.py`: the former set the
 * port's groups, the latter only the rules of its own.
 * @returns undefined for those that the port has
 */
function groupsFor(
  { vipSgIds, ownsVipPort, vipGroupsDue }: LoadBalancer,
  { isSecured, securityGroupIds }: Port,
  own: string | undefined,
): readonly string[] | undefined {
  if (!isSecured || !vipGroupsDue) return undefined;
  if (vipSgIds.length > 0) return vipSgIds;
  if (own === undefined) return undefined;
  return ownsVipPort ? [own] : [...securityGroupIds.filter((one) => one !== own), own];
}

/** @returns undefined while its host has not got it yet */
function placeOf(port: Port): Place | undefined {
  const { type, details } = port.vif ?? { type: 'unbound', details: {} };
  if (type === 'binding_failed') {
    const { reason } = details;
    const why = typeof reason === 'string' ? reason : 'the network service gave no reason';
    throw new VipBindingFailedError(port.id, why);
  }
  const { network_namespace: name, datapath_type: datapath } = details;
  if (datapath === undefined) throw new VipHostUnknownError(port.hostId ?? '');
  if (port.status !== 'ACTIVE' && port.isEnabled) return undefined;
  return { kind: 'namespace', name: typeof name === 'string' ? name : NOWHERE };
}

/** A port that was changed meanwhile is looked at again. */
async function fenced<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceRefusedError && error.status === 412)
      throw new DomainError('transient', 'The VIP’s port is being changed by another request.');
    throw error;
  }
}

@Feature({
  providers: [networksProvider, ownProjectProvider, VipsService],
})
export class VipModule {}
