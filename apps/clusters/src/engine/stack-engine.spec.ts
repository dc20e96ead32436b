/** Requests to a cluster's stack, and their actors. */
import { expect, it } from '@jest/globals';
import type { Actor } from '@cumulet/clients/http/actor';
import { DelegationEndedError } from '@cumulet/clients/identity/delegation.errors';
import type { OrchestrationClient } from '@cumulet/clients/orchestration/orchestration-client';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Cluster } from '../clusters/cluster.entity.js';
import { StackEngine } from './stack-engine.js';

const ctx = { requestId: 'req-1' } as RequestContext;
const cluster = { id: 'c', name: 'one', projectId: 'p', stackId: 's', trustId: 't' } as Cluster;

it("can be read after the user's trust has ended", async () => {
  const told = ['api_address', 'api_public_address', 'network_id', 'subnet_id'];
  const outputs = new Map(told.map((name) => [name, { value: name }]));
  const stack = { status: 'COMPLETE', outputs };
  const stacks = {
    find: ({ as }: Actor) =>
      as === 'service'
        ? Promise.resolve(stack)
        : Promise.reject(new DelegationEndedError('t', undefined)),
  } as unknown as OrchestrationClient;
  const none = undefined as never;
  const engine = new StackEngine(stacks, none, none, none, none);
  expect(await engine.observe(ctx, cluster)).toMatchObject({ status: 'COMPLETE' });
});
