/** A server. Public source: Heat, "Template guide", OS::Nova::Server; Nova API reference, "Servers". */
import { ServiceUnavailableError } from '@cumulet/clients/http/service-client-errors';
import type { Properties } from '../../constraints/property-schema.js';
import type { JsonObject } from '../../json/json.js';
import type { ResourceDefinition } from '../../template/read-template.js';
import { entryOf, expressionOf, isSameExpression, itemsOf, ofType } from '../implicit-requires.js';
import { asObject, asObjects, asText, textsIn } from '../property-values.js';
import { NotYetError, ResourceInErrorError } from '../resource-type.errors.js';
import type { CallScope, ExistingScope, ResourceType, SnapshotScope } from '../resource-type.js';
import { idIn, part, ServiceCalls } from '../service-calls.js';
import { ANY_NETWORK, computeCalls, MICROVERSION, serverPath } from './nova-calls.js';
import {
  faultOf,
  findServer,
  isIn,
  SERVER_ATTRIBUTES,
  serverAttributes,
  serverOf,
  statusOf,
} from './server-attributes.js';
import { releasePorts, reclaimPorts } from './server-nics.js';
import { ServerStore, networksOf, removePorts } from './server-ports.js';
import { SERVER_PROPERTIES, validateServer } from './server-properties.js';
import { serverRequest } from './server-request.js';
import { isServerUpdated, updateServer } from './server-update.js';

export const server: ResourceType = {
  name: 'OS::Nova::Server',
  description: 'A virtual machine.',
  properties: SERVER_PROPERTIES,
  attributes: SERVER_ATTRIBUTES,
  validate: validateServer,
  implicitRequires: serverRequires,

  async create(scope) {
    const store = new ServerStore(scope);
    try {
      const networks = await networksOf(scope, store);
      const calls = computeCalls(scope, networks === undefined ? ANY_NETWORK : MICROVERSION);
      const answer = await calls.create('/v2.1/servers', await serverRequest(scope, networks));
      return { physicalId: idIn(asObject(answer['server']) ?? {}), data: store.data };
    } catch (error) {
      // A retry finds its ports; a refusal leaves none behind.
      const isAskedAgain = error instanceof ServiceUnavailableError || error instanceof NotYetError;
      if (!isAskedAgain && !scope.signal.aborted) await removePorts(scope, store, store.ports);
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
    if (found && !(await isBeingDeleted(scope, found))) return false;
    const store = new ServerStore(scope);
    await removePorts(scope, store, store.ports);
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

  snapshot: snapshotServer,
  isSnapshot: isServerSnapshot,
  removeSnapshot: removeServerSnapshot,
  restored: restoredServer,

  prepareForReplacement: releasePorts,
  restoreReplaced: reclaimPorts,
};

/** @returns whether its deletion is certain. @throws if the deletion failed */
async function isBeingDeleted(scope: ExistingScope, found: NonNullable<object>): Promise<boolean> {
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

/** A NIC may get an address of any subnet of its network. */
export function serverRequires(
  one: ResourceDefinition,
  all: Readonly<Record<string, ResourceDefinition>>,
): readonly string[] {
  const nics = itemsOf(expressionOf(one, 'networks')).filter(
    (nic) => entryOf(nic, 'port') === undefined,
  );
  const isNeeded = (subnet: ResourceDefinition): boolean => {
    const network = expressionOf(subnet, 'network', 'network_id');
    return nics.some((nic) => {
      const wanted = entryOf(nic, 'network', 'uuid');
      // A NIC without a network may be on any.
      return wanted === undefined || isSameExpression(wanted, network);
    });
  };
  return ofType(all, 'OS::Neutron::Subnet')
    .filter(([, subnet]) => isNeeded(subnet))
    .map(([name]) => name);
}

const images = (scope: CallScope): ServiceCalls => new ServiceCalls(scope, 'images');

/** The image property that identifies the image of a request without an answer. */
const MARK = 'orchestration_snapshot';

const FAILED = ['killed', 'deleted'];

/** Images of a server for stack snapshots. Public source: Nova API reference, "Create Image". */
export async function snapshotServer(scope: ExistingScope, mark: string): Promise<JsonObject> {
  const { images: made } = await images(scope).get('/v2/images', { [MARK]: mark });
  const known = asObjects(made).find(({ status }) => !FAILED.includes(asText(status)));
  if (known) return { snapshot_image_id: idIn(known) };
  const answer = await computeCalls(scope).act(`${serverPath(scope.row.physicalId)}/action`, {
    createImage: { name: scope.physicalName(), metadata: { [MARK]: mark } },
  });
  return { snapshot_image_id: idIn(answer, 'image_id') };
}

export async function isServerSnapshot(scope: ExistingScope, data: JsonObject): Promise<boolean> {
  const image = await images(scope).find(pathOf(data));
  const status = image ? asText(image['status']) : 'deleted';
  if (FAILED.includes(status))
    throw new ResourceInErrorError(status, 'The image of the server could not be made.');
  if (status !== 'active') return false;
  const task = asText((await serverOf(scope))['OS-EXT-STS:task_state']);
  return !task.startsWith('image_');
}

export async function removeServerSnapshot(scope: SnapshotScope, data: JsonObject): Promise<void> {
  await images(scope).remove(pathOf(data));
}

/** The server is rebuilt from the image. */
export function restoredServer(properties: Properties, data: JsonObject): Properties {
  return { ...properties, image: data['snapshot_image_id'] ?? null };
}

function pathOf(data: JsonObject): string {
  return `/v2/images/${part(asText(data['snapshot_image_id']))}`;
}
