/** Changes of a server in place: those that take a request at once, then those that take a while. */
import type { Json, JsonObject } from '../../json/json.js';
import { mapIn, textIn, textsIn } from '../property-values.js';
import { ReplacementNeeded } from '../resource-type.errors.js';
import type { Change, ExistingScope, Updated } from '../resource-type.js';
import { computeCalls, serverPath } from './nova-calls.js';
import { cardSteps } from './server-cards.js';
import { KeptServer } from './server-data.js';
import { metadataOf, serverNameOf } from './server-request.js';
import { goOn } from './server-steps.js';

export async function updateServer(scope: ExistingScope, change: Change): Promise<Updated> {
  checkPolicies(scope, change);
  const kept = new KeptServer(scope);
  await changeAtOnce(scope, change);
  const steps = await stepsOf(scope, change, kept);
  await kept.change({ steps });
  return { data: kept.data };
}

export async function isServerUpdated(scope: ExistingScope): Promise<boolean> {
  return goOn(scope, new KeptServer(scope));
}

/** @throws ReplacementNeeded where a policy says so */
function checkPolicies({ properties }: ExistingScope, { changed }: Change): void {
  for (const what of ['flavor', 'image', 'user_data']) {
    const isReplaced = textIn(properties, `${what}_update_policy`) === 'REPLACE';
    if (changed.has(what) && isReplaced)
      throw new ReplacementNeeded(`its ${what}_update_policy is REPLACE`);
  }
}

async function changeAtOnce(scope: ExistingScope, { changed, before }: Change): Promise<void> {
  const path = serverPath(scope.row.physicalId);
  const calls = computeCalls(scope);
  const { properties } = scope;
  if (changed.has('metadata')) {
    const metadata = metadataOf(properties);
    for (const key of Object.keys(mapIn(before, 'metadata') ?? {}))
      if (!Object.hasOwn(metadata, key))
        await calls.remove(`${path}/metadata/${encodeURIComponent(key)}`);
    if (Object.keys(metadata).length > 0) await calls.act(`${path}/metadata`, { metadata });
  }
  if (changed.has('tags'))
    await calls.put(`${path}/tags`, { tags: textsIn(properties, 'tags') ?? [] });
  if (changed.has('name')) await calls.put(path, { server: { name: serverNameOf(scope) } });
  const password = textIn(properties, 'admin_pass');
  if (changed.has('admin_pass') && !changed.has('image') && password !== undefined)
    await calls.act(`${path}/action`, { changePassword: { adminPass: password } });
}

async function stepsOf(
  scope: ExistingScope,
  { changed, before }: Change,
  kept: KeptServer,
): Promise<readonly JsonObject[]> {
  const { properties } = scope;
  const cards = changed.has('networks') ? await cardSteps(scope, before, kept.ports) : [];
  const flavor: Json = textIn(properties, 'flavor') ?? null;
  const resize = changed.has('flavor') ? [{ do: 'resize', flavor }] : [];
  const userData =
    changed.has('user_data') && textIn(properties, 'user_data_update_policy') === 'REBUILD';
  const preserve = textIn(properties, 'image_update_policy') === 'REBUILD_PRESERVE_EPHEMERAL';
  const isRebuilt = changed.has('image') || userData;
  const rebuild = isRebuilt ? [{ do: 'rebuild', userData, preserve }] : [];
  return [...cards, ...resize, ...rebuild];
}
