/** A server. Public source: Heat, "Template guide", OS::Nova::Server; Nova API reference, "Servers". */
import { ServiceUnavailableError } from '@cumulet/clients/http/service-client-errors';
import { asObject, asText, textsIn } from '../property-values.js';
import { NotYetError, ResourceInErrorError } from '../resource-type.errors.js';
import type { ExistingScope, ResourceType } from '../resource-type.js';
import { idIn, part } from '../service-calls.js';
import { ANY_NETWORK, computeCalls, MICROVERSION, serverPath } from './nova-calls.js';
import { SERVER_ATTRIBUTES, serverAttributes } from './server-attributes.js';
import { interfacesOf } from './server-cards.js';
import { KeptServer } from './server-data.js';
import { networksOf } from './server-networks.js';
import { removePorts } from './server-ports.js';
import { SERVER_PROPERTIES } from './server-properties.js';
import { serverRequest } from './server-request.js';
import { serverRequires } from './server-requires.js';
import { faultOf, findServer, isIn, serverOf, statusOf } from './server-show.js';
import * as snapshots from './server-snapshot.js';
import { isServerUpdated, updateServer } from './server-update.js';
import { validateServer } from './server-validation.js';

export const server: ResourceType = {
  name: 'OS::Nova::Server',
  description: 'A virtual machine.',
  properties: SERVER_PROPERTIES,
  attributes: SERVER_ATTRIBUTES,
  validate: validateServer,
  implicitRequires: serverRequires,

  async create(scope) {
    const kept = new KeptServer(scope);
    try {
      const networks = await networksOf(scope, kept);
      const calls = computeCalls(scope, networks === undefined ? ANY_NETWORK : MICROVERSION);
      const answer = await calls.create('/v2.1/servers', await serverRequest(scope, networks));
      return { physicalId: idIn(asObject(answer['server']) ?? {}), data: kept.data };
    } catch (error) {
      // What is asked again finds its ports; a refusal leaves none behind.
      const isAskedAgain = error instanceof ServiceUnavailableError || error instanceof NotYetError;
      if (!isAskedAgain && !scope.signal.aborted) await removePorts(scope, kept, kept.ports);
      throw error;
    }
  },

  async isCreated(scope) {
    if (!isIn(await serverOf(scope), 'ACTIVE')) return false;
    const tags = textsIn(scope.properties, 'tags') ?? [];
    if (tags.length > 0)
      await computeCalls(scope).put(`${serverPath(scope.row.physicalId)}/tags`, { tags });
    return true;
  },

  update: updateServer,
  isUpdated: isServerUpdated,

  async remove(scope) {
    await computeCalls(scope).remove(serverPath(scope.row.physicalId));
  },

  async isRemoved(scope) {
    const found = await findServer(scope);
    if (found && !(await isGoing(scope, found))) return false;
    const kept = new KeptServer(scope);
    await removePorts(scope, kept, kept.ports);
    return true;
  },

  read: findServer,
  attributesOf: serverAttributes,

  async suspend(scope) {
    await actUnless(scope, 'SUSPENDED', { suspend: null });
  },
  isSuspended: async (scope) => isIn(await serverOf(scope), 'SUSPENDED'),

  async resume(scope) {
    await actUnless(scope, 'ACTIVE', { resume: null });
  },
  isResumed: async (scope) => isIn(await serverOf(scope), 'ACTIVE'),

  snapshot: snapshots.snapshotServer,
  isSnapshot: snapshots.isServerSnapshot,
  removeSnapshot: snapshots.removeServerSnapshot,
  restored: snapshots.restoredServer,

  /** Its ports are needed by whoever comes in its place, who cannot have them before they are free. */
  async makeWay(scope) {
    const found = await findServer(scope);
    if (!found || statusOf(found) === 'ERROR') return;
    const ports = await portsOf(scope);
    if (ports.length === 0) return;
    const { data } = scope.row;
    await scope.keep({ ...data, detached: [...new Set([...listed(data['detached']), ...ports])] });
    const path = `${serverPath(scope.row.physicalId)}/os-interface`;
    for (const port of ports) await computeCalls(scope).remove(`${path}/${part(port)}`);
    const left = await portsOf(scope);
    if (left.length > 0) throw new NotYetError(`Ports are being detached: ${left.join(', ')}.`);
  },

  async comeBack(scope) {
    const { detached, ...data } = scope.row.data;
    const present = await portsOf(scope);
    const path = `${serverPath(scope.row.physicalId)}/os-interface`;
    for (const port of listed(detached).filter((one) => !present.includes(one)))
      await computeCalls(scope).act(path, { interfaceAttachment: { port_id: port } });
    await scope.keep(data);
  },
};

async function portsOf(scope: ExistingScope): Promise<readonly string[]> {
  return (await interfacesOf(scope)).map(({ port }) => port);
}

function listed(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** @returns whether it is as good as gone; a failure of the deletion is thrown */
async function isGoing(scope: ExistingScope, found: NonNullable<object>): Promise<boolean> {
  const shown = asObject(found) ?? {};
  const status = statusOf(shown);
  if (status === 'DELETED') return true;
  if (status === 'SOFT_DELETED')
    await computeCalls(scope).act(`${serverPath(scope.row.physicalId)}/action`, {
      forceDelete: null,
    });
  if (status === 'ERROR' && asText(shown['OS-EXT-STS:task_state']) !== 'deleting')
    throw new ResourceInErrorError(status, faultOf(shown));
  return false;
}

async function actUnless(
  scope: ExistingScope,
  status: string,
  action: Readonly<Record<string, null>>,
): Promise<void> {
  const found = await serverOf(scope);
  if (statusOf(found) === status || asText(found['OS-EXT-STS:task_state']) !== '') return;
  await computeCalls(scope).act(`${serverPath(scope.row.physicalId)}/action`, action);
}
