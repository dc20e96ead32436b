/**
 * What a cloud has outside of its data folder, and which of it may go. A process is the cloud's if it
 * is one of its programs and works in the folder; the kernel says so for a folder that is gone, too.
 */
import type { ProcessUsing } from '@cumulet/common/programs/processes-using';
import { isProgramOfCloud } from '@cumulet/network/data-plane/ovn/host/uplinks/leftover-uplinks';

export interface SortedProcesses {
  /** Of a process that has the folder's lock open, and so runs the cloud. */
  readonly cloud: number | undefined;
  /** What the cloud has started. */
  readonly ours: readonly ProcessUsing[];
  /** Whoever else is there, as a shell: never ended. */
  readonly others: readonly ProcessUsing[];
}

/** @param lock the path of the folder's lock @param self the process that asks, which has the lock */
export function sortProcesses(
  processes: readonly ProcessUsing[],
  lock: string,
  self: number,
): SortedProcesses {
  const seen = processes.filter(({ pid }) => pid !== self);
  const isOurs = ({ program, workingFolder }: ProcessUsing): boolean =>
    workingFolder !== undefined && isProgramOfCloud(program);
  return {
    cloud: seen.find(({ files }) => files.includes(lock))?.pid,
    ours: seen.filter(isOurs),
    others: seen.filter((one) => !isOurs(one)),
  };
}
