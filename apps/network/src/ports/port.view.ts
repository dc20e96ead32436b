import { parseIp } from '@cumulet/common/addresses/ip-address';
import type { AgentConfigurations } from '../agents/agent.resource.js';
import {
  INTEGRATION_BRIDGE,
  NAMESPACE_DEVICE,
  namespaceFor,
  tapOf,
  type PortNamespace,
  type PortSpec,
  type Vif,
} from '../data-plane/data-plane.js';
import { CHECK_SOURCE_OWNER, FLOATING_IP_OWNER } from './device-owner.js';
import type { PortState } from './port.states.js';

/** Key of `binding:profile`: the UID of the user who may open the port's device on its host. */
export const TAP_UID = 'tap_uid';

/** Key of `binding:profile`: the namespace of a host program's port. */
export const NETWORK_NAMESPACE = 'network_namespace';
export const NAMESPACES: readonly PortNamespace[] = ['own', 'host'];

export interface FixedIp {
  readonly subnet_id: string;
  readonly ip_address: string;
}

export interface BoundPort {
  readonly id: string;
  readonly state: PortState;
  readonly stateReason: string | null;
  readonly deviceOwner: string;
  readonly hostId: string;
  readonly bindingProfile: Record<string, unknown>;
  readonly vif: Vif | null;
  readonly hostConfigurations: AgentConfigurations | null;
  readonly trunkParent: PortSpec['parent'];
}

/** Public source: Networking API reference, "Ports", `status`. */
export function statusOf({
  state,
  hostId,
  deviceOwner,
}: Pick<BoundPort, 'state' | 'hostId' | 'deviceOwner'>): string {
  if (deviceOwner === FLOATING_IP_OWNER) return 'N/A';
  switch (state) {
    case 'active':
    case 'updating':
      return 'ACTIVE';
    case 'building':
      return hostId === '' ? 'DOWN' : 'BUILD';
    case 'error':
      return 'ERROR';
    case 'down':
    case 'removing':
      return 'DOWN';
  }
}

/** Public source: Networking API reference, "Port binding extended attributes". */
export function vifTypeOf({
  hostId,
  state,
  vif,
}: Pick<BoundPort, 'hostId' | 'state' | 'vif'>): string {
  if (hostId === '' || vif === null) return 'unbound';
  return state === 'error' ? 'binding_failed' : vif.type;
}

/** @returns for a port with a device, also the network namespace that contains it */
export function vifDetailsOf(port: BoundPort): object {
  const { hostId, state, stateReason, vif } = port;
  if (hostId === '' || vif === null) return {};
  if (state === 'error') return { reason: stateReason };
  return { ...vif.details, ...deviceOf(port) };
}

function deviceOf({ id, vif, hostConfigurations, ...port }: BoundPort): object {
  if (vif?.type !== 'ovs' || hostConfigurations === null) return {};
  const { datapath_type, network_namespace } = hostConfigurations;
  const switched = { bridge_name: INTEGRATION_BRIDGE, datapath_type };
  if (network_namespace === null) return switched;
  if (namespaceSpecOf(port) === 'own') {
    const own = namespaceFor(network_namespace, id);
    return { ...switched, device_name: NAMESPACE_DEVICE, network_namespace: own };
  }
  if (tapSpecOf(port) === null) return switched;
  return { ...switched, tap_name: tapOf(id), network_namespace };
}

/** A port without a DNS name gets one that follows from its address, as in Neutron. */
export function dnsAssignmentOf({
  dnsName,
  fixedIps,
}: {
  readonly dnsName: string;
  readonly fixedIps: readonly FixedIp[];
}): object[] {
  return fixedIps.map(({ ip_address }) => {
    const isV6 = parseIp(ip_address)?.version === 6;
    const hostname = dnsName || `host-${ip_address.replaceAll(isV6 ? ':' : '.', '-')}`;
    return { ip_address, hostname, fqdn: `${hostname}.openstacklocal.` };
  });
}

export function namespaceSpecOf({
  bindingProfile,
}: Pick<BoundPort, 'bindingProfile'>): PortSpec['namespace'] {
  return (bindingProfile[NETWORK_NAMESPACE] as PortNamespace | undefined) ?? null;
}

/**
 * Ports of the network service, subports and ports of programs of the host have no device. The
 * device owner of a bound port is ignored: if a client changed it, the device would be deleted and
 * created anew, and a program that has it open would hold the old one.
 */
export function tapSpecOf({
  hostId,
  deviceOwner,
  bindingProfile,
  trunkParent,
}: Pick<BoundPort, 'hostId' | 'deviceOwner' | 'bindingProfile' | 'trunkParent'>): PortSpec['tap'] {
  const hasServiceOwner = deviceOwner.startsWith('network:') || deviceOwner === CHECK_SOURCE_OWNER;
  const isOwn = hasServiceOwner && hostId === '';
  if (isOwn || trunkParent !== null) return null;
  if (namespaceSpecOf({ bindingProfile }) !== null) return null;
  return { uid: (bindingProfile[TAP_UID] as number | undefined) ?? null };
}
