/** How a group comes to its size and its definition in steps, with some of it in service. Pure. */

/** One step: how many members there are after it, and how many of these become new by it. */
export interface Batch {
  readonly size: number;
  readonly renewed: number;
}

export interface BatchLimits {
  readonly minInService: number;
  readonly maxBatchSize: number;
}

/** @param current members that there are, none of which is as it is to be */
export function batchesOf(target: number, current: number, limits: BatchLimits): Batch[] {
  const batches: Batch[] = [];
  let size = current;
  let done = 0;
  while (size !== target || done < size) {
    const batch = nextBatch(target, size, done, limits);
    batches.push(batch);
    done += batch.renewed - Math.max(batch.size - Math.max(size, target), 0);
    // A batch that neither resizes nor renews would be the last for ever.
    if (batch.size === size && batch.renewed === 0) break;
    size = batch.size;
  }
  return batches;
}

function nextBatch(
  target: number,
  size: number,
  done: number,
  { minInService, maxBatchSize }: BatchLimits,
): Batch {
  const kept = Math.min(minInService, target, size);
  const renewed = Math.min(maxBatchSize, Math.max(target - done, 0));
  return { size: renewed + Math.max(Math.min(size, target - renewed), kept), renewed };
}
