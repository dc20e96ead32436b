/** Steps and observations of specs about servers that move. */
import { RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/context/request-id';
import type { ComputeFixture } from '../../compute.fixture.js';
import { HostAgent } from '../../host-agent/host-agent.js';
import { LeftoverSnapshotsSweep } from '../../server-plans/leftover-images.sweep.js';

export function imagesOf({ images }: ComputeFixture): number {
  return [...images.made.keys()].filter((image) => images.statusOf(image) !== undefined).length;
}

/** Runs sweeps that otherwise come within seconds on these hosts. */
export async function sweepHosts(
  ...hosts: readonly [ComputeFixture, ComputeFixture]
): Promise<void> {
  const [{ app: first }] = hosts;
  const ctx = RequestContext.system(newRequestId(), first.dataSource.manager);
  for (const { app } of hosts) await app.nest.get(HostAgent).compare(ctx);
  await first.nest.get(LeftoverSnapshotsSweep).run(ctx);
}
