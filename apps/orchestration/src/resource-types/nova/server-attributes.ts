/** What other resources may ask of a server. */
import { ownOf, type Json, type JsonObject } from '../../json/json.js';
import { attribute } from '../declare.js';
import type { AttributeSchemas } from '../../constraints/property-schema.js';
import { asObject, asObjects, asText } from '../property-values.js';
import type { ExistingScope } from '../resource-type.js';
import { addressesOf } from './server-addresses.js';
import { consoleUrls } from './server-consoles.js';
import { serverNameOf } from './server-request.js';
import { isPolling, polledMetadata } from './server-polling.js';
import { findServer } from './server-show.js';

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
  instance_name: attribute('string', 'What its hypervisor calls it.'),
  accessIPv4: { ...attribute('string', 'The address that is said to reach it.'), support: OLD },
  accessIPv6: {
    ...attribute('string', 'The IPv6 address that is said to reach it.'),
    support: OLD,
  },
  console_urls: attribute('map', 'Addresses of its consoles by their types.', '2015.1'),
  tags: attribute('list', 'Its tags.', '8.0.0'),
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

/** Addresses alone, by the same names. */
async function networksOf(server: JsonObject, scope: ExistingScope): Promise<Json> {
  const addresses = await addressesOf(server, scope);
  return Object.fromEntries(
    Object.entries(addresses).map(([name, cards]) => [
      name,
      asObjects(cards).map(({ addr }) => asText(addr)),
    ]),
  );
}

/** Of the network whose name is the last. */
function firstAddress(server: JsonObject): string {
  const networks = Object.entries(asObject(server['addresses']) ?? {});
  const [last] = networks
    .filter(([, addresses]) => asObjects(addresses).length > 0)
    .sort(([one], [other]) => (one < other ? 1 : -1));
  return last ? asText(asObjects(last[1])[0]?.['addr']) : '';
}
