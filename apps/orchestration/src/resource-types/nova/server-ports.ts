/**
 * Ports created for a server, if its NIC has properties that compute does not support: a subnet, or
 * details of the port.
 *
 * Always holds: a new port is stored before it is used.
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

/** Whether compute cannot create the NIC's port. */
export function needsOwnPort(network: JsonObject): boolean {
  return (
    !isGiven(network, 'port') &&
    (isGiven(network, 'subnet') || isGiven(network, 'port_extra_properties'))
  );
}

export async function makePort(
  scope: ResourceScope,
  store: ServerStore,
  network: JsonObject,
): Promise<string> {
  const number = store.made;
  const body = { port: await portOf(scope, network, number) };
  const { port } = await networkCalls(scope).create('/v2.0/ports', body, `port-${number}`);
  const id = idIn(asObject(port) ?? {});
  await store.change({ ports: [...store.ports, id], made: number + 1 });
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

export async function networkIdOf(scope: ResourceScope, network: JsonObject): Promise<string> {
  const given = textIn(network, 'network');
  if (given !== undefined) return given;
  const path = `/v2.0/subnets/${part(textIn(network, 'subnet') ?? '')}`;
  const { subnet } = await networkCalls(scope).get(path);
  return asText(asObject(subnet)?.['network_id']);
}

export async function removePorts(
  scope: ResourceScope,
  store: ServerStore,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    await networkCalls(scope).remove(`/v2.0/ports/${part(id)}`);
    await store.change({ ports: store.ports.filter((one) => one !== id) });
  }
}

export async function associateFloatingIp(
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

/** A missing floating IP needs no disassociation. */
export async function disassociateFloatingIp(
  scope: ResourceScope,
  network: JsonObject,
): Promise<void> {
  const id = textIn(network, 'floating_ip');
  if (id === undefined) return;
  const path = `/v2.0/floatingips/${part(id)}`;
  if (await networkCalls(scope).find(path))
    await networkCalls(scope).put(path, { floatingip: { port_id: null } });
}

/**
 * NICs of a new server. Public source: Nova API reference, "Create Server", `networks`.
 *
 * @returns undefined if no NIC is given, so that compute chooses the network
 */
export async function networksOf(
  scope: ResourceScope,
  store: ServerStore,
): Promise<Json | undefined> {
  const networks = mapsIn(scope.properties, 'networks') ?? [];
  if (networks.length === 0) return undefined;
  const word = allocatedIn(networks);
  if (word !== undefined) return word;
  // After a crash, the same keys give the same ports.
  await store.change({ ports: [], made: 0 });
  const nics: JsonObject[] = [];
  for (const network of networks) nics.push(await nicOf(scope, store, network));
  return nics;
}

async function nicOf(
  scope: ResourceScope,
  store: ServerStore,
  network: JsonObject,
): Promise<JsonObject> {
  const tag = textIn(network, 'tag');
  const port = needsOwnPort(network)
    ? await makePort(scope, store, network)
    : textIn(network, 'port');
  if (port === undefined) {
    const [uuid, address] = [textIn(network, 'network'), textIn(network, 'fixed_ip')];
    return withoutGaps({ uuid, fixed_ip: address, tag });
  }
  await associateFloatingIp(scope, network, port);
  return withoutGaps({ port, tag });
}

/** The type's data of a server: its own ports, and the rest of an update. */
export interface ServerData {
  /** Deleted with it. */
  readonly ports: readonly string[];
  /** The number of ports ever created for it, from which their keys are made. */
  readonly made: number;
  /** Remaining steps of an update, in order; the first may have begun. */
  readonly steps: readonly JsonObject[];
}

/** Stores each change at once, so that work resumes after a crash. */
export class ServerStore {
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
