/**
 * Addresses of OVSDB servers as OVN writes them: `unix:<path>`, `tcp:<host>:<port>` or
 * `ssl:<host>:<port>`, separated by commas for the servers of one cluster. A host is a name or an
 * address. Public source: ovsdb(7), "Connection Methods".
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

export type OvsdbServer = { readonly path: string } | OvsdbEndpoint;

export interface OvsdbEndpoint {
  readonly method: 'tcp' | 'ssl';
  readonly host: string;
  readonly port: number;
}

const ENDPOINT = /^(tcp|ssl):(?:([\w.-]+)|\[([\da-f:]+)\]):(\d{1,5})$/i;

/** @returns undefined unless it is a list of addresses */
export function parseServers(list: string): readonly OvsdbServer[] | undefined {
  const servers = list.split(',').map(parseServer);
  return servers.every((one) => one !== undefined) ? servers : undefined;
}

function parseServer(address: string): OvsdbServer | undefined {
  const [, path] = /^unix:(.+)$/.exec(address) ?? [];
  if (path !== undefined) return { path };
  const [, method, host, bracketed, digits] = ENDPOINT.exec(address) ?? [];
  const port = Number(digits);
  if (method === undefined || port < 1 || port > 65_535) return undefined;
  return { method: method as 'tcp' | 'ssl', host: host ?? bracketed ?? '', port };
}

/**
 * The servers behind a list: names are resolved now, to one server for each address; a name that
 * has none stays, so that whoever connects says why it cannot.
 * @throws Error unless it is a list of addresses
 */
export async function serversAt(list: string): Promise<readonly OvsdbServer[]> {
  const servers = parseServers(list);
  if (!servers) throw new Error(`${list} is no list of unix:<path>, tcp: or ssl:<host>:<port>`);
  const found = await Promise.all(servers.map(resolve));
  return found.flat();
}

async function resolve(server: OvsdbServer): Promise<readonly OvsdbServer[]> {
  if (!hasName(server)) return [server];
  const addresses = await lookup(server.host, { all: true }).catch(() => []);
  if (addresses.length === 0) return [server];
  return addresses.map(({ address: host }) => ({ ...server, host }));
}

export function hasName(server: OvsdbServer): server is OvsdbEndpoint {
  return 'host' in server && isIP(server.host) === 0;
}

export function formatServers(servers: readonly OvsdbServer[]): string {
  return servers
    .map((one) => {
      if ('path' in one) return `unix:${one.path}`;
      return `${one.method}:${one.host.includes(':') ? `[${one.host}]` : one.host}:${one.port}`;
    })
    .join(',');
}
