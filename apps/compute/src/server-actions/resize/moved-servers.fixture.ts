/** What specs of servers that go to another host look at, and what they have done at once. */
import { RequestContext } from '@cumulet/common/context/request-context';
import { newRequestId } from '@cumulet/common/context/request-id';
import type { ComputeFixture } from '../../compute.fixture.js';
import { HostAgent } from '../../host-agent/host-agent.js';
import { LeftSnapshotsSweep } from '../../server-plans/left-images.sweep.js';

/** How many images the images service has. */
export function imagesOf({ images }: ComputeFixture): number {
  return [...images.made.keys()].filter((image) => images.statusOf(image) !== undefined).length;
}

/** What otherwise happens within seconds on these hosts of one cloud. */
export async function sweepHosts(
  ...hosts: readonly [ComputeFixture, ComputeFixture]
): Promise<void> {
  const [{ app: first }] = hosts;
  const ctx = RequestContext.system(newRequestId(), first.dataSource.manager);
  for (const { app } of hosts) await app.nest.get(HostAgent).compare(ctx);
  await first.nest.get(LeftSnapshotsSweep).run(ctx);
}
