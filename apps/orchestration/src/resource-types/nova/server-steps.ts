/**
 * Steps of a server's update, one after another: each begins with a request and is over once compute
 * shows what it was to bring.
 *
 * Always holds: a step may be begun again after a crash. What it wants is looked at first.
 */
import type { JsonObject } from '../../json/json.js';
import { isSame } from '../../json/same-json.js';
import { extraPortFields } from '../neutron/port-properties.js';
import { asObject, asText, mapIn, textIn, withoutGaps } from '../property-values.js';
import { ResourceInErrorError } from '../resource-type.errors.js';
import type { ExistingScope } from '../resource-type.js';
import { part } from '../service-calls.js';
import { computeCalls, serverPath } from './nova-calls.js';
import { interfacesOf } from './server-cards.js';
import type { KeptServer } from './server-data.js';
import * as ports from './server-ports.js';
import { metadataOf } from './server-request.js';
import { isIn, serverOf, statusOf } from './server-show.js';
import { userDataOf } from './server-user-data.js';

type Step = (scope: ExistingScope, kept: KeptServer, step: JsonObject) => Promise<boolean>;

const STEPS: Readonly<Record<string, Step>> = {
  detach,
  attach,
  'change-port': changePort,
  resize,
  rebuild,
};

/** @returns whether none is left */
export async function goOn(scope: ExistingScope, kept: KeptServer): Promise<boolean> {
  for (;;) {
    const [step, ...rest] = kept.steps;
    if (!step) return true;
    const run = STEPS[asText(step['do'])];
    if (!run) throw new Error(`no step ${asText(step['do'])}`);
    if (!(await run(scope, kept, step))) return false;
    await kept.change({ steps: rest });
  }
}

async function mark(kept: KeptServer, changes: JsonObject): Promise<void> {
  const [step, ...rest] = kept.steps;
  await kept.change({ steps: [{ ...step, ...changes }, ...rest] });
}

async function detach(scope: ExistingScope, kept: KeptServer, step: JsonObject): Promise<boolean> {
  const port = asText(step['port']);
  const path = `${serverPath(scope.row.physicalId)}/os-interface/${part(port)}`;
  if (step['begun'] !== true) {
    await ports.dropFloatingIp(scope, mapIn(step, 'network') ?? {});
    await computeCalls(scope).remove(path);
    await mark(kept, { begun: true });
  }
  if (await computeCalls(scope).find(path)) return false;
  if (kept.ports.includes(port)) await ports.removePorts(scope, kept, [port]);
  return true;
}

/** Compute is always given a port, so that it is the same one however often it is asked. */
async function attach(scope: ExistingScope, kept: KeptServer, step: JsonObject): Promise<boolean> {
  const network = mapIn(step, 'network') ?? {};
  const present = await interfacesOf(scope);
  if (Object.keys(network).length === 0) {
    if (present.length === 0) await attachInterface(scope, {});
    return true;
  }
  let port = textIn(network, 'port') ?? textIn(step, 'made');
  if (port === undefined) {
    port = await ports.makePort(scope, kept, network);
    await mark(kept, { made: port });
  }
  await ports.leadFloatingIp(scope, network, port);
  if (!present.some((one) => one.port === port)) await attachInterface(scope, { port_id: port });
  return true;
}

async function attachInterface(scope: ExistingScope, json: JsonObject): Promise<void> {
  const path = `${serverPath(scope.row.physicalId)}/os-interface`;
  await computeCalls(scope).act(path, { interfaceAttachment: json });
}

async function changePort(scope: ExistingScope, _: KeptServer, step: JsonObject): Promise<boolean> {
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

async function resize(scope: ExistingScope, kept: KeptServer, step: JsonObject): Promise<boolean> {
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
  await mark(kept, { begun: true });
  return false;
}

async function flavorName(scope: ExistingScope, id: string): Promise<string> {
  const { flavor } = await computeCalls(scope).get(`/v2.1/flavors/${part(id)}`);
  return asText(asObject(flavor)?.['name']);
}

/** Done twice it brings the same: a crash between the request and the mark asks once more. */
async function rebuild(scope: ExistingScope, kept: KeptServer, step: JsonObject): Promise<boolean> {
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
  await mark(kept, { begun: true });
  return false;
}

function hasTask(server: JsonObject): boolean {
  return asText(server['OS-EXT-STS:task_state']) !== '';
}
