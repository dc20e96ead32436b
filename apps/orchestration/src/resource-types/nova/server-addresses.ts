/** Addresses of a server with all that is known of their ports, networks and subnets. */
import { isIP } from 'node:net';
import type { Json, JsonObject } from '../../json/json.js';
import { asObject, asObjects, asText } from '../property-values.js';
import type { ExistingScope } from '../resource-type.js';
import { part } from '../service-calls.js';
import { networkCalls } from './server-ports.js';

/** @returns lists of addresses, each under its network's name and under its id */
export async function addressesOf(_server: JsonObject, scope: ExistingScope): Promise<JsonObject> {
  const calls = networkCalls(scope);
  const { ports } = await calls.get('/v2.0/ports', { device_id: scope.row.physicalId });
  const found = new Map<string, Json[]>();
  for (const port of asObjects(ports)) {
    const network = asObject((await calls.get(pathOf('networks', port['network_id'])))['network']);
    const addresses = await addressesOfPort(scope, port, network ?? {});
    for (const key of [asText(network?.['name']), asText(network?.['id'])])
      found.set(key, [...(found.get(key) ?? []), ...addresses]);
  }
  return Object.fromEntries(found);
}

async function addressesOfPort(
  scope: ExistingScope,
  port: JsonObject,
  network: JsonObject,
): Promise<readonly JsonObject[]> {
  const calls = networkCalls(scope);
  const fixed = asObjects(port['fixed_ips']);
  const id = asText(port['id']);
  const common = { 'OS-EXT-IPS-MAC:mac_addr': port['mac_address'] ?? null };
  const subnets: Json[] = [];
  for (const { subnet_id: subnet } of fixed)
    subnets.push((await calls.get(pathOf('subnets', subnet)))['subnet'] ?? null);
  const { floatingips } = await calls.get('/v2.0/floatingips', { port_id: id });
  const cards = fixed.map(({ ip_address: addr = null }) => ({
    addr,
    version: versionOf(addr),
    'OS-EXT-IPS:type': 'fixed',
    port: id,
    subnets,
    network,
    ...common,
  }));
  const floating = asObjects(floatingips).map(({ floating_ip_address: addr = null }) => ({
    addr,
    version: versionOf(addr),
    'OS-EXT-IPS:type': 'floating',
    port: null,
    ...common,
  }));
  return [...cards, ...floating];
}

function versionOf(address: Json): number | null {
  return isIP(asText(address)) || null;
}

function pathOf(plural: string, id: Json | undefined): string {
  return `/v2.0/${plural}/${part(asText(id))}`;
}
