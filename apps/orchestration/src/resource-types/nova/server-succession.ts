/**
 * What a server leaves to the one that takes its place, and takes again if that is rolled back: its
 * ports, and the addresses of those that were made for it.
 *
 * Always holds: what it leaves is kept in mind before it is taken away.
 */
import type { JsonObject } from '../../json/json.js';
import { asObject, asObjects, mapIn, textsIn } from '../property-values.js';
import { NotYetError } from '../resource-type.errors.js';
import type { ExistingScope } from '../resource-type.js';
import { part } from '../service-calls.js';
import { computeCalls, serverPath } from './nova-calls.js';
import { interfacesOf } from './server-cards.js';
import { networkCalls } from './server-ports.js';
import { findServer, statusOf } from './server-show.js';

const interfacesPath = ({ row }: ExistingScope): string =>
  `${serverPath(row.physicalId)}/os-interface`;

const portPath = (id: string): string => `/v2.0/ports/${part(id)}`;

/** @throws NotYetError until all ports are free: the next server cannot have them before */
export async function leavePorts(scope: ExistingScope): Promise<void> {
  const found = await findServer(scope);
  if (!found || statusOf(found) === 'ERROR') return;
  const [ports, addresses] = [await attachedTo(scope), await ownAddresses(scope)];
  const { data } = scope.row;
  const detached = [...new Set([...(textsIn(data, 'detached') ?? []), ...ports])];
  await scope.keep({ ...data, detached, addresses: { ...mapIn(data, 'addresses'), ...addresses } });
  for (const port of ports)
    await computeCalls(scope).remove(`${interfacesPath(scope)}/${part(port)}`);
  const left = ports.length > 0 ? await attachedTo(scope) : [];
  if (left.length > 0) throw new NotYetError(`Ports are being detached: ${left.join(', ')}.`);
  for (const port of Object.keys(addresses))
    await networkCalls(scope).put(portPath(port), { port: { fixed_ips: [] } });
}

export async function takePorts(scope: ExistingScope): Promise<void> {
  const { detached: _, addresses = {}, ...data } = scope.row.data;
  for (const [port, fixedIps] of Object.entries(asObject(addresses) ?? {}))
    await networkCalls(scope).put(portPath(port), { port: { fixed_ips: fixedIps } });
  const present = await attachedTo(scope);
  const ports = textsIn(scope.row.data, 'detached') ?? [];
  for (const port of ports.filter((one) => !present.includes(one)))
    await computeCalls(scope).act(interfacesPath(scope), {
      interfaceAttachment: { port_id: port },
    });
  await scope.keep(data);
}

async function attachedTo(scope: ExistingScope): Promise<readonly string[]> {
  return (await interfacesOf(scope)).map(({ port }) => port);
}

/** Of the ports that were made for it, by their ids; those without any are left out. */
async function ownAddresses(scope: ExistingScope): Promise<JsonObject> {
  const addresses: Record<string, readonly JsonObject[]> = {};
  for (const id of textsIn(scope.row.data, 'ports') ?? []) {
    const port = asObject((await networkCalls(scope).find(portPath(id)))?.['port']);
    const fixedIps = asObjects(port?.['fixed_ips']);
    if (fixedIps.length > 0) addresses[id] = fixedIps;
  }
  return addresses;
}
