/**
 * Ports that are made for a server, where a template says of a NIC what compute does not take: its
 * subnet, or more of its port.
 *
 * Always holds: a port that was made is kept in mind before anything else is done with it.
 */
import type { Json, JsonObject } from '../../json/json.js';
import { fixedIpOf } from '../neutron/network-type.js';
import { extraPortFields } from '../neutron/port.js';
import {
  asObject,
  asObjects,
  asText,
  flagIn,
  isGiven,
  mapIn,
  mapsIn,
  textIn,
  textsIn,
  withoutGaps,
} from '../property-values.js';
import type { ResourceScope } from '../resource-type.js';
import { idIn, part, ServiceCalls } from '../service-calls.js';
import { allocatedIn } from './server-properties.js';

export function networkCalls(scope: ResourceScope): ServiceCalls {
  return new ServiceCalls(scope, 'network');
}

/** Whether compute alone cannot make the port of a NIC. */
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

/** Leads the NIC's floating IP to its port, if it has one. */
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

/**
 * NICs of a server as it is made. Public source: Nova API reference, "Create Server", `networks`.
 *
 * @returns undefined where no NIC is given: it gets one of whichever network there is
 */
export async function networksOf(
  scope: ResourceScope,
  kept: KeptServer,
): Promise<Json | undefined> {
  const networks = mapsIn(scope.properties, 'networks') ?? [];
  if (networks.length === 0) return undefined;
  const word = allocatedIn(networks);
  if (word !== undefined) return word;
  // Begun anew after a crash, the same keys give the same ports.
  await kept.change({ ports: [], made: 0 });
  const nics: JsonObject[] = [];
  for (const network of networks) nics.push(await nicOf(scope, kept, network));
  return nics;
}

async function nicOf(
  scope: ResourceScope,
  kept: KeptServer,
  network: JsonObject,
): Promise<JsonObject> {
  const tag = textIn(network, 'tag');
  const port = needsOwnPort(network)
    ? await makePort(scope, kept, network)
    : textIn(network, 'port');
  if (port === undefined) {
    const [uuid, address] = [textIn(network, 'network'), textIn(network, 'fixed_ip')];
    return withoutGaps({ uuid, fixed_ip: address, tag });
  }
  await leadFloatingIp(scope, network, port);
  return withoutGaps({ port, tag });
}

/** What a server keeps for itself: ports that were made for it, and what is left of an update. */
export interface ServerData {
  /** Ports that go with it. */
  readonly ports: readonly string[];
  /** How many were ever made for it: each has a key of its own. */
  readonly made: number;
  /** What is left to do of an update, in its order; the first may have begun. */
  readonly steps: readonly JsonObject[];
}

/** Kept at once with each change, so that whoever goes on after a crash knows of it. */
export class KeptServer {
  #data: JsonObject;

  constructor(private readonly scope: ResourceScope) {
    this.#data = scope.row.data;
  }

  get data(): JsonObject {
    return this.#data;
  }

  get ports(): readonly string[] {
    const { ports } = this.#data;
    return Array.isArray(ports) ? (ports as readonly Json[]).map(String) : [];
  }

  get made(): number {
    const { made } = this.#data;
    return typeof made === 'number' ? made : 0;
  }

  get steps(): readonly JsonObject[] {
    return asObjects(this.#data['steps']);
  }

  async change(changes: Partial<ServerData>): Promise<void> {
    this.#data = { ...this.#data, ...changes };
    await this.scope.keep(this.#data);
  }
}
