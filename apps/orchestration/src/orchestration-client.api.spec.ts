/** The sister services' client against this service. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asBearer, type Actor } from '@cumulet/clients/http/actor';
import { NO_CREDENTIALS } from '@cumulet/clients/http/credentials';
import { OrchestrationClient } from '@cumulet/clients/orchestration/orchestration-client';
import type { NewStack, StackRef } from '@cumulet/clients/orchestration/stack-wire';
import { newId } from '@cumulet/testing/test-tokens';
import { startWhole, type OrchestrationFixture } from './orchestration.fixture.js';

let fixture: OrchestrationFixture;
let client: OrchestrationClient;
let actor: Actor;

beforeAll(async () => {
  fixture = await startWhole();
  const { baseUrl: orchestrationUrl } = fixture.client;
  client = new OrchestrationClient({ orchestrationUrl, credentials: NO_CREDENTIALS });
  actor = asBearer(fixture.token);
});
afterAll(async () => {
  await client.close();
  await fixture.stop();
});

const template = (failing = false): object => ({
  heat_template_version: 'wallaby',
  parameters: { word: { type: 'string' } },
  resources: {
    one: {
      type: 'OS::Heat::TestResource',
      properties: { value: { get_param: 'word' }, fail: failing },
    },
  },
  outputs: { said: { value: { get_attr: ['one', 'output'] } } },
});

const stackOf = (name: string, changes: Partial<NewStack> = {}): NewStack => ({
  name,
  template: template(),
  parameters: { word: 'hello' },
  timeoutMinutes: 5,
  disableRollback: true,
  tags: ['cluster', 'kubernetes'],
  ...changes,
});

const make = async (stack: NewStack): Promise<StackRef> => {
  const ref = await client.create(actor, fixture.projectId, stack, newId());
  await fixture.settle();
  return ref;
};

describe('OrchestrationClient', () => {
  it('creates a stack once per key', async () => {
    const key = newId();
    const stack = stackOf('once');
    const first = await client.create(actor, fixture.projectId, stack, key);
    const second = await client.create(actor, fixture.projectId, stack, key);
    expect(second).toEqual(first);
    await fixture.settle();
    expect(await client.find(actor, first)).toMatchObject({ action: 'CREATE', status: 'COMPLETE' });
  });

  it('reads a stack with its outputs, and finds it by ID or name', async () => {
    const ref = await make(stackOf('read'));
    const found = await client.find(actor, ref, true);
    expect(found).toMatchObject({
      ...ref,
      reason: 'Stack CREATE completed successfully',
      tags: ['cluster', 'kubernetes'],
    });
    expect(found?.outputs.get('said')).toEqual({ value: 'hello', error: undefined });
    expect((await client.find(actor, ref))?.outputs.size).toBe(0);
    expect(await client.findById(actor, ref.projectId, ref.id)).toMatchObject(ref);
    expect(await client.findByName(actor, ref.projectId, 'read')).toMatchObject(ref);
  });

  it('updates a stack with a whole template and parameters', async () => {
    const ref = await make(stackOf('updated'));
    const { name: _, ...content } = stackOf('updated', { parameters: { word: 'goodbye' } });
    await client.update(actor, ref, content);
    await fixture.settle();
    const found = await client.find(actor, ref, true);
    expect([found?.action, found?.status]).toEqual(['UPDATE', 'COMPLETE']);
    expect(found?.outputs.get('said')?.value).toBe('goodbye');
  });

  it('reports failed resources with their reasons', async () => {
    const ref = await make(stackOf('failing', { template: template(true) }));
    expect(await client.find(actor, ref)).toMatchObject({ action: 'CREATE', status: 'FAILED' });
    const [failed] = (await client.resources(actor, ref, { status: 'FAILED' })) ?? [];
    expect(failed).toMatchObject({
      name: 'one',
      stackId: ref.id,
      type: 'OS::Heat::TestResource',
      action: 'CREATE',
      status: 'FAILED',
      reason: expect.stringContaining('Test Resource failed'),
    });
    expect(await client.resources(actor, ref, { status: 'COMPLETE', nestedDepth: 2 })).toEqual([]);
  });

  it('does not find a deleted stack', async () => {
    const ref = await make(stackOf('deleted'));
    await client.delete(actor, ref);
    await fixture.settle();
    expect(await client.find(actor, ref)).toBeUndefined();
    expect(await client.findById(actor, ref.projectId, ref.id)).toBeUndefined();
    await client.delete(actor, ref);
    const never = { ...ref, id: newId() };
    expect(await client.find(actor, never)).toBeUndefined();
    expect(await client.resources(actor, never)).toBeUndefined();
  });
});
