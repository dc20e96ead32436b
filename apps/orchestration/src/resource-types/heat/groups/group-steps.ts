/**
 * Changes a group's nested stack to the group's definition, at once or in batches.
 *
 * Always holds: the current members are read from the nested stack's template, which is right after a
 * rollback or an interrupted update too.
 */
import { isMap, type Json, type JsonObject } from '../../../json/json.js';
import { isNumeric } from '../../../json/numbers.js';
import { isSame } from '../../../json/same-json.js';
import { isNestedDone } from '../../nested-type.js';
import type { ExistingScope, NestedTemplate, ResourceScope } from '../../resource-type.js';
import {
  batchesOf,
  membersAfter,
  templateOf,
  type Batch,
  type BatchLimits,
  type Members,
} from './members.js';

export interface Shape {
  readonly size: number;
  definitionOf(name: string): JsonObject;
  /** The existing members, those to replace or remove first. */
  ordered(members: Members): readonly (readonly [string, JsonObject])[];
  newNames(members: Members): () => string;
}

export interface Pace extends BatchLimits {
  /** Seconds between batches. */
  readonly pause: number;
}

/** The remaining batches, as stored in the type's data. */
interface Coming {
  readonly batches: readonly Batch[];
  readonly pause: number;
  /** When the next one may begin, in milliseconds; 0 while one is in progress. */
  readonly at: number;
}

const COMING = 'coming';

export async function createGroup(
  scope: ResourceScope,
  shape: Shape,
  pace: Pace | undefined,
): Promise<string> {
  const [first = { size: 0, renewed: 0 }, ...rest] = pace
    ? batchesOf(shape.size, 0, pace)
    : [{ size: shape.size, renewed: shape.size }];
  await keepComing(scope, rest, pace);
  const members = membersAfter([], first, (name) => shape.definitionOf(name), shape.newNames({}));
  return scope.nested.create(await nestedTemplate(scope, members));
}

/** @param pace absent if all change at once */
export async function changeGroup(
  scope: ExistingScope,
  shape: Shape,
  pace: Pace | undefined,
): Promise<void> {
  const members = await membersOf(scope);
  const current = shape.ordered(members).length;
  const [first, ...rest] = pace
    ? batchesOf(shape.size, current, pace)
    : [{ size: shape.size, renewed: shape.size }];
  await keepComing(scope, rest, pace);
  await step(scope, shape, members, first ?? { size: shape.size, renewed: shape.size });
}

/** Resizes the group; existing members stay as they are. */
export async function resizeGroup(scope: ExistingScope, shape: Shape): Promise<void> {
  await step(scope, shape, await membersOf(scope), { size: shape.size, renewed: 0 });
}

/** @returns whether all batches are over. @throws NestedFailure */
export async function isGroupDone(scope: ExistingScope, shape: Shape): Promise<boolean> {
  const coming = comingIn(scope);
  if (!(await isNestedDone(scope.nested))) return false;
  const [next, ...rest] = coming.batches;
  if (!next) return true;
  if (coming.at === 0 && coming.pause > 0) {
    await keep(scope, { ...coming, at: Date.now() + coming.pause * 1_000 });
    return false;
  }
  if (Date.now() < coming.at) return false;
  // In this order: a repeated batch finds its members changed already, but a skipped one would be lost.
  await step(scope, shape, await membersOf(scope), next);
  await keep(scope, { batches: rest, pause: coming.pause, at: 0 });
  return false;
}

export async function membersOf({ nested }: ResourceScope): Promise<Members> {
  const resources = (await nested.source())?.template['resources'] ?? {};
  const entries = isMap(resources) ? Object.entries(resources) : [];
  return Object.fromEntries(entries.filter((one): one is [string, JsonObject] => isMap(one[1])));
}

async function step(
  scope: ExistingScope,
  shape: Shape,
  members: Members,
  batch: Batch,
): Promise<void> {
  const after = membersAfter(
    shape.ordered(members),
    batch,
    (name) => shape.definitionOf(name),
    shape.newNames(members),
  );
  const wanted = await nestedTemplate(scope, after);
  const isMixed = Object.entries(after).some(
    ([name, one]) => !isSame(one, shape.definitionOf(name)),
  );
  // Members that are not updated yet may need files that the update no longer has.
  const before = isMixed ? (await scope.nested.source())?.files : undefined;
  await scope.nested.update({ ...wanted, files: { ...before, ...wanted.files } });
}

async function nestedTemplate(scope: ResourceScope, members: Members): Promise<NestedTemplate> {
  return { template: templateOf(members), ...(await scope.nested.surroundings()) };
}

async function keepComing(
  scope: ResourceScope,
  batches: readonly Batch[],
  pace: Pace | undefined,
): Promise<void> {
  await keep(scope, { batches, pause: pace?.pause ?? 0, at: 0 });
}

function keep(scope: ResourceScope, coming: Coming): Promise<void> {
  return scope.keep({ ...scope.row.data, [COMING]: coming as unknown as Json });
}

function comingIn({ row }: ExistingScope): Coming {
  const coming = row.data[COMING];
  return (coming as unknown as Coming | undefined) ?? { batches: [], pause: 0, at: 0 };
}

/** The pace of `min_in_service`, `max_batch_size` and `pause_time`. */
export function paceOf(policy: Json | undefined): Pace | undefined {
  if (!isGiven(policy)) return undefined;
  return {
    minInService: numberAt(policy, 'min_in_service', 0),
    maxBatchSize: Math.max(1, numberAt(policy, 'max_batch_size', 1)),
    pause: numberAt(policy, 'pause_time', 0),
  };
}

export function amazonPaceOf(policy: Json | undefined): Pace | undefined {
  if (!isGiven(policy)) return undefined;
  return {
    minInService: numberAt(policy, 'MinInstancesInService', 0),
    maxBatchSize: Math.max(1, numberAt(policy, 'MaxBatchSize', 1)),
    pause: secondsOf(policy['PauseTime']),
  };
}

function isGiven(policy: Json | undefined): policy is JsonObject {
  return policy !== undefined && isMap(policy);
}

function numberAt(policy: JsonObject, name: string, standard: number): number {
  const value = Number(policy[name] ?? standard);
  return Number.isFinite(value) ? value : standard;
}

/** Of an ISO 8601 duration such as `PT5M30S`. */
function secondsOf(duration: Json | undefined): number {
  if (isNumeric(duration)) return Number(duration);
  if (typeof duration !== 'string') return 0;
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/i.exec(duration) ?? [];
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}
