import { jest } from '@jest/globals';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { ComputeFixture } from '../compute.fixture.js';
import { HostAgent } from '../host-agent/host-agent.js';
import type { Host } from './host.entity.js';
import { HostRepository } from './host.repository.js';

/** Another host, which is heard from only once. */
export async function addHost(
  ctx: RequestContext,
  name: string,
  { silentSeconds = 0, ...over }: Partial<Host> & { readonly silentSeconds?: number } = {},
): Promise<void> {
  await new HostRepository().report(ctx, {
    name,
    hypervisorType: 'simulated',
    hypervisorVersion: '1.0',
    apiUrl: null,
    uptime: '',
    vcpus: 8,
    memoryMb: 8192,
    diskGb: 80,
    freeDiskGb: 80,
    address: '192.0.2.1',
    cpu: {},
    ...over,
  });
  await ctx.manager.query(
    "UPDATE hosts SET seen_at = seen_at - $2 * interval '1 second' WHERE name = $1",
    [name, silentSeconds],
  );
}

/** Gives a host another size, which its agent reports from now on. */
export async function setMemory(
  { app, ctx, hypervisor: { host } }: ComputeFixture,
  memoryMb: number,
): Promise<void> {
  const description = await host.describe();
  jest.spyOn(host, 'describe').mockResolvedValue({ ...description, memoryMb });
  await app.nest.get(HostAgent).report(ctx);
}
