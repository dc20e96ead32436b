/**
 * Ports that are made for a server, where a template says of a card what compute does not take: its
 * subnet, or more of its port.
 *
 * Always holds: a port that was made is kept in mind before anything else is done with it.
 */
import type { JsonObject } from '../../json/json.js';
import { fixedIpOf } from '../neutron/network-type.js';
import { extraPortFields } from '../neutron/port-properties.js';
import {
  asObject,
  asText,
  flagIn,
  isGiven,
  mapIn,
  textIn,
  textsIn,
  withoutGaps,
} from '../property-values.js';
import type { ResourceScope } from '../resource-type.js';
import { idIn, part, ServiceCalls } from '../service-calls.js';
import type { KeptServer } from './server-data.js';

export function networkCalls(scope: ResourceScope): ServiceCalls {
  return new ServiceCalls(scope, 'network');
}

/** Whether compute alone cannot make the port of a card. */
export function needsOwnPort(network: JsonObject): boolean {
  return (
    !isGiven(network, 'port') &&
    (isGiven(network, 'subnet') || isGiven(network, 'port_extra_properties'))
  );
}

/** @returns its id */
export async function makePort(
  scope: ResourceScope,
  kept: KeptServer,
  network: JsonObject,
): Promise<string> {
  const number = kept.made;
  const body = { port: await portOf(scope, network, number) };
  const { port } = await networkCalls(scope).create('/v2.0/ports', body, `port-${number}`);
  const id = idIn(asObject(port) ?? {});
  await kept.change({ ports: [...kept.ports, id], made: number + 1 });
  return id;
}

async function portOf(
  scope: ResourceScope,
  network: JsonObject,
  number: number,
): Promise<JsonObject> {
  const extra = mapIn(network, 'port_extra_properties') ?? {};
  const address = fixedIpOf({
    subnet: network['subnet'] ?? null,
    ip_address: network['fixed_ip'] ?? null,
  });
  const groups = textsIn(scope.properties, 'security_groups') ?? [];
  const hasAddress = Object.keys(address).length > 0;
  return withoutGaps({
    ...extraPortFields(extra),
    name: `${scope.row.name}-port-${number}`,
    network_id: await networkIdOf(scope, network),
    fixed_ips: flagIn(extra, 'no_fixed_ips') ? [] : hasAddress ? [address] : undefined,
    security_groups: groups.length > 0 ? groups : undefined,
  });
}

/** The network that is given, or that the subnet is of. */
export async function networkIdOf(scope: ResourceScope, network: JsonObject): Promise<string> {
  const given = textIn(network, 'network');
  if (given !== undefined) return given;
  const path = `/v2.0/subnets/${part(textIn(network, 'subnet') ?? '')}`;
  const { subnet } = await networkCalls(scope).get(path);
  return asText(asObject(subnet)?.['network_id']);
}

export async function removePorts(
  scope: ResourceScope,
  kept: KeptServer,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    await networkCalls(scope).remove(`/v2.0/ports/${part(id)}`);
    await kept.change({ ports: kept.ports.filter((one) => one !== id) });
  }
}

/** Leads the card's floating IP to its port, if it has one. */
export async function leadFloatingIp(
  scope: ResourceScope,
  network: JsonObject,
  port: string,
): Promise<void> {
  const id = textIn(network, 'floating_ip');
  if (id === undefined) return;
  const address = textIn(network, 'fixed_ip');
  await networkCalls(scope).put(`/v2.0/floatingips/${part(id)}`, {
    floatingip: { port_id: port, ...(address === undefined ? {} : { fixed_ip_address: address }) },
  });
}

/** A floating IP that is gone leads nowhere already. */
export async function dropFloatingIp(scope: ResourceScope, network: JsonObject): Promise<void> {
  const id = textIn(network, 'floating_ip');
  if (id === undefined) return;
  const path = `/v2.0/floatingips/${part(id)}`;
  if (await networkCalls(scope).find(path))
    await networkCalls(scope).put(path, { floatingip: { port_id: null } });
}
