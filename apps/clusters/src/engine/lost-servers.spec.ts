import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { ComputeClient } from '@cumulet/clients/compute/compute-client';
import { RequestContext } from '@cumulet/common/context/request-context';
import type { Node } from '../nodes/node.entity.js';
import { aCluster, aNode } from '../rows.fixture.js';
import { StackEngine } from './stack-engine.js';

const NONE = undefined as never;

/** The lost nodes among those whose server has this status; undefined for none. */
async function lostWith(status: string | undefined, serverId: string | null = 'server-1') {
  const compute = {
    server: (_: unknown, id: string) =>
      Promise.resolve(status === undefined ? undefined : { id, name: 'web-node-1', status }),
  } as unknown as ComputeClient;
  const engine = new StackEngine(NONE, NONE, NONE, compute, NONE);
  const lost = await engine.lostNodes(RequestContext.system('req-1', NONE), aCluster(), [
    aNode(1, { serverId }),
  ]);
  return lost.map(({ name }: Node) => name);
}

describe('a node is lost', () => {
  it.each([undefined, 'SHUTOFF', 'ERROR', 'DELETED', 'SOFT_DELETED'])(
    'if its server is %s',
    async (status) => {
      expect(await lostWith(status)).toEqual(['web-node-1']);
    },
  );

  it.each([
    'ACTIVE',
    'BUILD',
    'REBOOT',
    'HARD_REBOOT',
    'REBUILD',
    'PAUSED',
    'SUSPENDED',
    'RESCUE',
    'RESIZE',
    'VERIFY_RESIZE',
    'REVERT_RESIZE',
    'MIGRATING',
    'PASSWORD',
    'UNKNOWN',
    'SHELVED',
    'SHELVED_OFFLOADED',
  ])('not with its server %s', async (status) => {
    expect(await lostWith(status)).toEqual([]);
  });

  it('not before it has a server', async () => {
    expect(await lostWith(undefined, null)).toEqual([]);
  });
});
