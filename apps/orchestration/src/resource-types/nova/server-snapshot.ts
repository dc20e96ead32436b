/** Images of a server, for snapshots of its stack. Public source: Nova API reference, "Create Image". */
import type { JsonObject } from '../../json/json.js';
import { asObjects, asText } from '../property-values.js';
import { ResourceInErrorError } from '../resource-type.errors.js';
import type { CallScope, ExistingScope, SnapshotScope } from '../resource-type.js';
import { idIn, part, ServiceCalls } from '../service-calls.js';
import { computeCalls, serverPath } from './nova-calls.js';
import { serverOf } from './server-show.js';
import type { Properties } from '../../constraints/property-schema.js';

const images = (scope: CallScope): ServiceCalls => new ServiceCalls(scope, 'images');

/** The property of an image by which that of a request without an answer is found. */
const MARK = 'orchestration_snapshot';

const FAILED = ['killed', 'deleted'];

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

/** It is rebuilt from the image. */
export function restoredServer(properties: Properties, data: JsonObject): Properties {
  return { ...properties, image: data['snapshot_image_id'] ?? null };
}

function pathOf(data: JsonObject): string {
  return `/v2/images/${part(asText(data['snapshot_image_id']))}`;
}
