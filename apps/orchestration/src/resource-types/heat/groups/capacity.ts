/** The size of a group after an adjustment. Pure. Public source: AWS CloudFormation, "ScalingPolicy". */
export type AdjustmentType = 'change' | 'exact' | 'percent';

export interface Adjustment {
  readonly by: number;
  readonly type: AdjustmentType;
  /** Of members at least, where it is by percent. */
  readonly minStep: number | undefined;
  /** Seconds in which no other adjustment follows; by default the group's. */
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

/** Towards zero, and yet at least one. */
function stepOf(current: number, percent: number, minStep: number): number {
  const change = (current * percent) / 100;
  const sign = Math.sign(change);
  const size = Math.abs(change) < 1 ? Math.ceil(Math.abs(change)) : Math.floor(Math.abs(change));
  return sign * Math.max(size, size > 0 ? minStep : 0);
}
