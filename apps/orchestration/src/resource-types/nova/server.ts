/** A server. Public source: Heat, "Template guide", OS::Nova::Server; Nova API reference, "Servers". */
import { ServiceUnavailableError } from '@cumulet/clients/http/service-client-errors';
import { asObject, asText, textsIn } from '../property-values.js';
import { NotYetError, ResourceInErrorError } from '../resource-type.errors.js';
import type { ExistingScope, ResourceType } from '../resource-type.js';
import { idIn } from '../service-calls.js';
import { ANY_NETWORK, computeCalls, MICROVERSION, serverPath } from './nova-calls.js';
import { SERVER_ATTRIBUTES, serverAttributes } from './server-attributes.js';
import { KeptServer } from './server-data.js';
import { networksOf } from './server-networks.js';
import { removePorts } from './server-ports.js';
import { SERVER_PROPERTIES } from './server-properties.js';
import { serverRequest } from './server-request.js';
import { serverRequires } from './server-requires.js';
import { faultOf, findServer, isIn, serverOf, statusOf } from './server-show.js';
import * as snapshots from './server-snapshot.js';
import { leavePorts, takePorts } from './server-succession.js';
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

  makeWay: leavePorts,
  comeBack: takePorts,
};

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
