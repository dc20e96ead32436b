/** Groups whose size is adjusted and whose members have random names. */
import { randomBytes } from 'node:crypto';
import type { Json, JsonObject } from '../../../json/json.js';
import { StackBusyError } from '../../resource-type.errors.js';
import type { ExistingScope, NestedResource, Signalled } from '../../resource-type.js';
import { membersOf, resizeGroup, type Shape } from './group-steps.js';

/** The key of the group's data with the end of the cooldown, in milliseconds. */
const COOL_AT = 'cool_at';

export interface ScalingBounds {
  readonly min: number;
  readonly max: number;
  readonly cooldown: number;
}

/** Failed members are removed first, then the oldest. */
export function scalingShape(
  size: number,
  definition: JsonObject,
  members: readonly NestedResource[],
): Shape {
  const age = new Map(
    members.toSorted((one, other) => rankOf(one) - rankOf(other)).map(({ name }, at) => [name, at]),
  );
  return {
    size,
    definitionOf: () => definition,
    ordered: (all) =>
      Object.entries(all).sort(([one], [other]) => (age.get(one) ?? -1) - (age.get(other) ?? -1)),
    newNames: () => () => `m${randomBytes(6).toString('hex')}`,
  };
}

function rankOf({ status, createdAt }: NestedResource): number {
  return status === 'FAILED' ? 0 : createdAt.getTime();
}

/** Resizes an idle group unless its cooldown lasts. */
export async function adjusted(
  scope: ExistingScope,
  adjustment: Adjustment,
  bounds: ScalingBounds,
  shapeOf: (size: number, members: readonly NestedResource[]) => Shape,
): Promise<Signalled> {
  const nothing = (why: string): Signalled => ({ reason: `No action is required: ${why}` });
  if ((await scope.nested.find())?.status !== 'COMPLETE') return nothing('the group is changing.');
  const current = Object.keys(await membersOf(scope)).length;
  const size = capacityAfter(current, adjustment, bounds);
  if (size === current) return nothing('the capacity stays the same.');
  const coolAt = Number(scope.row.data[COOL_AT] ?? 0);
  if (Date.now() < coolAt) return nothing('the group is cooling down.');
  try {
    await resizeGroup(scope, shapeOf(size, await scope.nested.resources()));
  } catch (error) {
    if (error instanceof StackBusyError) return nothing('the group is changing.');
    throw error;
  }
  const cooldown = Math.max(0, adjustment.cooldown ?? bounds.cooldown);
  const data = { ...scope.row.data, [COOL_AT]: Date.now() + cooldown * 1_000 };
  return { reason: `Resized from ${current} to ${size}`, data };
}

/** @returns undefined for a signal that is not an adjustment */
export function adjustmentIn(given: Json): Adjustment | undefined {
  const { by, type, minStep, cooldown } = (given ?? {}) as Partial<Record<keyof Adjustment, Json>>;
  if (typeof by !== 'number') return undefined;
  if (type !== 'change' && type !== 'exact' && type !== 'percent') return undefined;
  return { by, type, minStep: numberOf(minStep), cooldown: numberOf(cooldown) };
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/**
 * The size of a group after an adjustment. Pure. Public source: AWS CloudFormation, "ScalingPolicy".
 */
export type AdjustmentType = 'change' | 'exact' | 'percent';

export interface Adjustment {
  readonly by: number;
  readonly type: AdjustmentType;
  /** The least number of members, for percentages. */
  readonly minStep: number | undefined;
  /** Seconds without another adjustment; by default the group's. */
  readonly cooldown: number | undefined;
}

export function capacityAfter(
  current: number,
  { by, type, minStep }: Pick<Adjustment, 'by' | 'type' | 'minStep'>,
  bounds: { readonly min: number; readonly max: number },
): number {
  const wanted =
    type === 'exact' ? by : current + (type === 'change' ? by : stepOf(current, by, minStep ?? 0));
  return Math.max(bounds.min, Math.min(bounds.max, Math.trunc(wanted)));
}

/** Rounded towards zero, but at least one. */
function stepOf(current: number, percent: number, minStep: number): number {
  const change = (current * percent) / 100;
  const sign = Math.sign(change);
  const size = Math.abs(change) < 1 ? Math.ceil(Math.abs(change)) : Math.floor(Math.abs(change));
  return sign * Math.max(size, size > 0 ? minStep : 0);
}
