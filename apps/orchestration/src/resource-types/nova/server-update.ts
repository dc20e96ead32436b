/** In-place changes of a server: single requests first, then those that take a while. */
import type { Json, JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import { extraPortFields } from '../neutron/port.js';
import { asObject, asText, mapIn, textIn, textsIn, withoutGaps } from '../property-values.js';
import { ReplacementNeeded, ResourceInErrorError } from '../resource-type.errors.js';
import type { Change, ExistingScope, Updated } from '../resource-type.js';
import { part } from '../service-calls.js';
import { computeCalls, serverPath } from './nova-calls.js';
import { isIn, serverOf, statusOf } from './server-attributes.js';
import { nicSteps, interfacesOf } from './server-nics.js';
import * as ports from './server-ports.js';
import { ServerStore } from './server-ports.js';
import { metadataOf, serverNameOf, userDataOf } from './server-request.js';

export async function updateServer(scope: ExistingScope, change: Change): Promise<Updated> {
  checkPolicies(scope, change);
  const store = new ServerStore(scope);
  await changeAtOnce(scope, change);
  const steps = await stepsOf(scope, change, store);
  await store.change({ steps });
  return { data: store.data };
}

export async function isServerUpdated(scope: ExistingScope): Promise<boolean> {
  return continueUpdate(scope, new ServerStore(scope));
}

/** @throws ReplacementNeeded if an update policy asks for it */
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
  store: ServerStore,
): Promise<readonly JsonObject[]> {
  const { properties } = scope;
  const nics = changed.has('networks') ? await nicSteps(scope, before, store.ports) : [];
  const flavor: Json = textIn(properties, 'flavor') ?? null;
  const resize = changed.has('flavor') ? [{ do: 'resize', flavor }] : [];
  const userData =
    changed.has('user_data') && textIn(properties, 'user_data_update_policy') === 'REBUILD';
  const preserve = textIn(properties, 'image_update_policy') === 'REBUILD_PRESERVE_EPHEMERAL';
  const isRebuilt = changed.has('image') || userData;
  const rebuild = isRebuilt ? [{ do: 'rebuild', userData, preserve }] : [];
  return [...nics, ...resize, ...rebuild];
}

type Step = (scope: ExistingScope, store: ServerStore, step: JsonObject) => Promise<boolean>;

const STEPS: Readonly<Record<string, Step>> = {
  detach,
  attach,
  'change-port': changePort,
  resize,
  rebuild,
};

/**
 * Continues a server's update: each step begins with a request and is over once compute shows the
 * result.
 *
 * Always holds: a step checks the server's state first, because it may be repeated after a crash.
 *
 * @returns whether no step is left
 */
export async function continueUpdate(scope: ExistingScope, store: ServerStore): Promise<boolean> {
  for (;;) {
    const [step, ...rest] = store.steps;
    if (!step) return true;
    const run = STEPS[asText(step['do'])];
    if (!run) throw new Error(`no step ${asText(step['do'])}`);
    if (!(await run(scope, store, step))) return false;
    await store.change({ steps: rest });
  }
}

async function mark(store: ServerStore, changes: JsonObject): Promise<void> {
  const [step, ...rest] = store.steps;
  await store.change({ steps: [{ ...step, ...changes }, ...rest] });
}

async function detach(
  scope: ExistingScope,
  store: ServerStore,
  step: JsonObject,
): Promise<boolean> {
  const port = asText(step['port']);
  const path = `${serverPath(scope.row.physicalId)}/os-interface/${part(port)}`;
  if (step['begun'] !== true) {
    await ports.disassociateFloatingIp(scope, mapIn(step, 'network') ?? {});
    await computeCalls(scope).remove(path);
    await mark(store, { begun: true });
  }
  if (await computeCalls(scope).find(path)) return false;
  if (store.ports.includes(port)) await ports.removePorts(scope, store, [port]);
  return true;
}

/** Always attaches a port, so that a repeated request attaches the same NIC. */
async function attach(
  scope: ExistingScope,
  store: ServerStore,
  step: JsonObject,
): Promise<boolean> {
  const network = mapIn(step, 'network') ?? {};
  const present = await interfacesOf(scope);
  if (Object.keys(network).length === 0) {
    if (present.length === 0) await attachInterface(scope, {});
    return true;
  }
  let port = textIn(network, 'port') ?? textIn(step, 'made');
  if (port === undefined) {
    port = await ports.makePort(scope, store, network);
    await mark(store, { made: port });
  }
  await ports.associateFloatingIp(scope, network, port);
  if (!present.some((one) => one.port === port)) await attachInterface(scope, { port_id: port });
  return true;
}

async function attachInterface(scope: ExistingScope, json: JsonObject): Promise<void> {
  const path = `${serverPath(scope.row.physicalId)}/os-interface`;
  await computeCalls(scope).act(path, { interfaceAttachment: json });
}

async function changePort(
  scope: ExistingScope,
  _: ServerStore,
  step: JsonObject,
): Promise<boolean> {
  const [before, after] = ['before', 'after'].map((name) =>
    withoutGaps(extraPortFields(mapIn(step, name) ?? {})),
  ) as [JsonObject, JsonObject];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differ = names.filter((name) => !isSame(before[name], after[name]));
  const port = Object.fromEntries(differ.map((name) => [name, after[name] ?? null]));
  if (differ.length > 0)
    await ports.networkCalls(scope).put(`/v2.0/ports/${part(asText(step['port']))}`, { port });
  return true;
}

async function resize(
  scope: ExistingScope,
  store: ServerStore,
  step: JsonObject,
): Promise<boolean> {
  const flavor = asText(step['flavor']);
  const server = await serverOf(scope);
  const action = `${serverPath(scope.row.physicalId)}/action`;
  if (statusOf(server) === 'VERIFY_RESIZE') {
    const isConfirming = asText(server['OS-EXT-STS:task_state']) === 'resize_confirming';
    if (!isConfirming) await computeCalls(scope).act(action, { confirmResize: null });
    return false;
  }
  if (!isIn(server, 'ACTIVE') && statusOf(server) !== 'SHUTOFF') return false;
  if (asText(server['OS-EXT-STS:task_state']) !== '') return false;
  if (asText(asObject(server['flavor'])?.['original_name']) === (await flavorName(scope, flavor)))
    return true;
  if (step['begun'] === true)
    throw new ResourceInErrorError(
      statusOf(server),
      `The server did not come to flavor ${flavor}, as no host took it.`,
    );
  await computeCalls(scope).act(action, { resize: { flavorRef: flavor } });
  await mark(store, { begun: true });
  return false;
}

async function flavorName(scope: ExistingScope, id: string): Promise<string> {
  const { flavor } = await computeCalls(scope).get(`/v2.1/flavors/${part(id)}`);
  return asText(asObject(flavor)?.['name']);
}

/** Harmless if repeated after a crash between the request and the mark. */
async function rebuild(
  scope: ExistingScope,
  store: ServerStore,
  step: JsonObject,
): Promise<boolean> {
  const server = await serverOf(scope);
  if (step['begun'] === true)
    return isIn(server, 'ACTIVE') || (statusOf(server) === 'SHUTOFF' && !hasTask(server));
  if (statusOf(server) === 'REBUILD' || hasTask(server)) return false;
  const { properties } = scope;
  await computeCalls(scope).act(`${serverPath(scope.row.physicalId)}/action`, {
    rebuild: withoutGaps({
      imageRef: textIn(properties, 'image'),
      adminPass: textIn(properties, 'admin_pass') || undefined,
      metadata: metadataOf(properties),
      preserve_ephemeral: step['preserve'] === true ? true : undefined,
      user_data: step['userData'] === true ? ((await userDataOf(scope)) ?? null) : undefined,
    }),
  });
  await mark(store, { begun: true });
  return false;
}

function hasTask(server: JsonObject): boolean {
  return asText(server['OS-EXT-STS:task_state']) !== '';
}
