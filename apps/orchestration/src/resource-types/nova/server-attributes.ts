import { isIP } from 'node:net';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { AttributeSchemas } from '../../constraints/property-schema.js';
import { ownOf, type Json, type JsonObject } from '../../json/json.js';
import { attribute } from '../declare.js';
import { asObject, asObjects, asText } from '../property-values.js';
import { ResourceInErrorError } from '../resource-type.errors.js';
import type { ExistingScope } from '../resource-type.js';
import { part } from '../service-calls.js';
import { computeCalls, serverPath } from './nova-calls.js';
import { networkCalls } from './server-ports.js';
import { isPolling, polledMetadata } from './server-properties.js';
import { serverNameOf } from './server-request.js';

const OLD = { status: 'DEPRECATED', version: '14.0.0' } as const;

export const SERVER_ATTRIBUTES: AttributeSchemas = {
  name: attribute('string', 'The name of the server.'),
  addresses: attribute(
    'map',
    'Its addresses by names and ids of networks, each with its port, its network and its subnets.',
    '11.0.0',
  ),
  networks: attribute('map', 'Its addresses by names and ids of networks.'),
  first_address: {
    description: 'One of its addresses.',
    support: { status: 'HIDDEN', version: '5.0.0', message: 'Use the attribute networks.' },
  },
  instance_name: attribute('string', 'The name of the server in its hypervisor.'),
  accessIPv4: { ...attribute('string', 'The IPv4 address by which it is accessed.'), support: OLD },
  accessIPv6: {
    ...attribute('string', 'The IPv6 address by which it is accessed.'),
    support: OLD,
  },
  console_urls: attribute('map', 'Addresses of its consoles by their types.', '2015.1'),
  tags: attribute('list', 'The tags.', '8.0.0'),
  os_collect_config: attribute('map', 'How an agent in the guest hears of deployments.', '9.0.0'),
};

type Reader = (server: JsonObject, scope: ExistingScope) => Json | Promise<Json>;

const READERS: Readonly<Record<string, Reader>> = {
  name: (_, scope) => serverNameOf(scope),
  addresses: (server, scope) => addressesOf(server, scope),
  networks: networksOf,
  first_address: (server) => firstAddress(server),
  instance_name: (server) => server['OS-EXT-SRV-ATTR:instance_name'] ?? null,
  accessIPv4: (server) => server['accessIPv4'] ?? '',
  accessIPv6: (server) => server['accessIPv6'] ?? '',
  console_urls: (_, scope) => consoleUrls(scope),
  tags: (server) => server['tags'] ?? [],
  os_collect_config: (_, scope) => collectConfigOf(scope)['os-collect-config'] ?? {},
};

function collectConfigOf(scope: ExistingScope): JsonObject {
  const metadata = asObject(scope.row.metadata) ?? {};
  return isPolling(scope.properties) ? polledMetadata(metadata, scope.metadataUrl()) : metadata;
}

export async function serverAttributes(
  scope: ExistingScope,
  names: readonly string[],
): Promise<JsonObject> {
  const server = await findServer(scope);
  if (!server) return {};
  const values: Record<string, Json> = {};
  for (const name of names) values[name] = (await ownOf(READERS, name)?.(server, scope)) ?? null;
  return values;
}

/** Addresses alone, under the same names. */
async function networksOf(server: JsonObject, scope: ExistingScope): Promise<Json> {
  const addresses = await addressesOf(server, scope);
  return Object.fromEntries(
    Object.entries(addresses).map(([name, nics]) => [
      name,
      asObjects(nics).map(({ addr }) => asText(addr)),
    ]),
  );
}

/** Of the last network in the order of names. */
function firstAddress(server: JsonObject): string {
  const networks = Object.entries(asObject(server['addresses']) ?? {});
  const [last] = networks
    .filter(([, addresses]) => asObjects(addresses).length > 0)
    .sort(([one], [other]) => (one < other ? 1 : -1));
  return last ? asText(asObjects(last[1])[0]?.['addr']) : '';
}

/**
 * A server's addresses with details of their ports, networks and subnets.
 *
 * @returns lists of addresses, under the network's name and under its ID
 */
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
  const nics = fixed.map(({ ip_address: addr = null }) => ({
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
  return [...nics, ...floating];
}

function versionOf(address: Json): number | null {
  return isIP(asText(address)) || null;
}

function pathOf(plural: string, id: Json | undefined): string {
  return `/v2.0/${plural}/${part(asText(id))}`;
}

const PROTOCOLS: Readonly<Record<string, string>> = {
  novnc: 'vnc',
  'spice-html5': 'spice',
  'rdp-html5': 'rdp',
  serial: 'serial',
  webmks: 'mks',
};

/**
 * URLs of a server's consoles. Public source: Nova API reference, "Create Console".
 *
 * @returns by type, with the reason where there is none
 */
export async function consoleUrls(scope: ExistingScope): Promise<JsonObject> {
  const urls: Record<string, string> = {};
  for (const [type, protocol] of Object.entries(PROTOCOLS))
    urls[type] = await urlOf(scope, { protocol, type });
  return urls;
}

async function urlOf(scope: ExistingScope, console: JsonObject): Promise<string> {
  const path = `${serverPath(scope.row.physicalId)}/remote-consoles`;
  try {
    const answer = await computeCalls(scope).act(path, { remote_console: console });
    return asText(asObject(answer['remote_console'])?.['url']);
  } catch (error) {
    if (error instanceof ServiceRefusedError) return `Cannot get console url: ${error.message}`;
    throw error;
  }
}

/** Statuses in which compute works on the server, or in which a user has put it. */
const PASSING = [
  'BUILD',
  'HARD_REBOOT',
  'PASSWORD',
  'REBOOT',
  'RESCUE',
  'RESIZE',
  'REVERT_RESIZE',
  'SHUTOFF',
  'SUSPENDED',
  'VERIFY_RESIZE',
  'REBUILD',
  'MIGRATING',
];

/** A server as compute shows it, and its status. Public source: Nova API guide, "Server concepts". */
export async function findServer(scope: ExistingScope): Promise<JsonObject | undefined> {
  const answer = await computeCalls(scope).find(serverPath(scope.row.physicalId));
  return asObject(answer?.['server']);
}

/** @throws ResourceInErrorError if it is gone */
export async function serverOf(scope: ExistingScope): Promise<JsonObject> {
  const server = await findServer(scope);
  if (!server)
    throw new ResourceInErrorError('DELETED', `There is no server ${scope.row.physicalId}.`);
  return server;
}

export function statusOf(server: JsonObject): string {
  return asText(server['status']);
}

/** @param wanted status. @throws ResourceInErrorError for a status that does not lead there */
export function isIn(server: JsonObject, wanted: string): boolean {
  const status = statusOf(server);
  if (status === wanted) return true;
  if ([...PASSING, 'ACTIVE'].includes(status)) return false;
  throw new ResourceInErrorError(status, faultOf(server));
}

/** `Message: No valid host was found., Code: 500` */
export function faultOf(server: JsonObject): string {
  const fault = asObject(server['fault']) ?? {};
  const [message, code] = [asText(fault['message']), asText(fault['code'])];
  return `Message: ${message || 'Unknown'}, Code: ${code || 'Unknown'}`;
}
