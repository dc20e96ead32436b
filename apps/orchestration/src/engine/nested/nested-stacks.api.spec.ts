/** Nested stacks and groups by commands. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { selectRows } from '@cumulet/common/database/rows';
import { StackEvent } from '../../rows/stack-event.entity.js';
import type { StackResource } from '../../rows/stack-resource.entity.js';
import { Stack } from '../../rows/stack.entity.js';
import type { StackWorkRepository } from '../../rows/stack-work.repository.js';
import { CommandedStacks, hot } from '../commanded-stacks.fixture.js';
import type { ActOnStack } from '../commands/act-on-stack.js';
import type { ChangeStack } from '../commands/change-stack.js';
import type { CreateStack } from '../commands/create-stack.js';
import type { ReadStack } from '../commands/read-stack.js';
import type { SignalResource } from '../commands/signal-resource.js';

let started: CommandedStacks;
let acting: ActOnStack;
let changing: ChangeStack;
let creating: CreateStack;
let reading: ReadStack;
let signals: SignalResource;
let stacks: StackWorkRepository;
let ctx: RequestContext;

beforeAll(async () => {
  started = await CommandedStacks.start();
  ({ acting, changing, creating, reading, signals, stacks, ctx } = started);
});

afterAll(() => started.stop());

const settled = (stack: Pick<Stack, 'id'>): Promise<Stack | undefined> => started.settled(stack);
const outputs = (stack: Stack): Promise<Record<string, unknown>> => started.outputs(stack);
const remove = (stack: Stack): Promise<void> => started.remove(stack);

describe('nested stacks', () => {
  const random = { type: 'OS::Heat::RandomString' };
  const inner = hot({ deep: random }, { value: { get_attr: ['deep', 'value'] } });
  const each = { type: 'inner.yaml' };
  const group = { type: 'OS::Heat::ResourceGroup', properties: { count: 2, resource_def: each } };
  const scaled = {
    type: 'OS::Heat::AutoScalingGroup',
    properties: { min_size: 1, max_size: 2, resource: random },
  };
  const template = hot(
    { group, scaled },
    {
      group: { get_attr: ['group', 'value'] },
      scaled: { get_attr: ['scaled', 'outputs_list', 'value'] },
    },
  );
  const files = { 'inner.yaml': JSON.stringify(inner) };

  it('have the timeout of their owner, and are abandoned and adopted with it', async () => {
    const request = { name: 'tree', template, files, timeoutMinutes: 10 };
    const created = await settled(await creating.create(ctx, request));
    if (!created) throw new Error('gone');
    const all = await selectRows(ctx.manager, Stack, 'WHERE root_id = $1', [created.id]);
    expect(all.map(({ timeoutMinutes }) => timeoutMinutes)).toEqual([10, 10, 10, 10, 10]);
    const before = await outputs(created);
    const data = await acting.abandon(ctx, created);
    expect(data).toMatchObject({
      resources: { group: { resources: { 0: { type: 'inner.yaml', template: inner } } } },
    });
    const adopted = await creating.adopt(ctx, { ...request, name: 'taken-tree' }, data);
    expect(await settled(adopted)).toMatchObject({ action: 'ADOPT', state: 'complete' });
    expect(await outputs(adopted)).toEqual(before);
    await remove(adopted);
  });
});

describe('a template resource', () => {
  it('may use its own type, and groups of it collect all of its outputs', async () => {
    const random = { type: 'OS::Heat::RandomString', properties: { length: 4 } };
    const inner = hot({ deep: random }, { value: { get_attr: ['deep', 'value'] } });
    const scaled = {
      type: 'OS::Heat::AutoScalingGroup',
      properties: { min_size: 2, max_size: 2, resource: { type: random.type } },
    };
    const request = {
      name: 'overridden',
      template: hot({ scaled }, { all: { get_attr: ['scaled', 'outputs_list', 'value'] } }),
      environment: { resource_registry: { [random.type]: 'inner.yaml' } },
      files: { 'inner.yaml': JSON.stringify(inner) },
    };
    const stack = await settled(await creating.create(ctx, request));
    expect(stack).toMatchObject({ action: 'CREATE', state: 'complete' });
    if (!stack) throw new Error('gone');
    const short: unknown = expect.stringMatching(/^.{4}$/);
    expect(await outputs(stack)).toEqual({ all: [short, short] });
    await remove(stack);
  });
});

it("a path through a group's attribute is applied to each member", async () => {
  const value = { first: ['a', 'b'] };
  const member = { type: 'OS::Heat::Value', properties: { type: 'json', value } };
  const types = {
    group: { type: 'OS::Heat::ResourceGroup', properties: { count: 2, resource_def: member } },
    scaled: {
      type: 'OS::Heat::AutoScalingGroup',
      properties: { min_size: 2, max_size: 2, resource: member },
    },
  };
  const asked = {
    each: ['group', 'value', 'first', 0],
    named: ['group', 'attributes', 'value', 'first', -1],
    below: ['group', 'resource.1', 'value', 'first', 1],
    reference: ['group', 'refs', 1],
    scaled: ['scaled', 'outputs_list', 'value', 'first', 1],
    nowhere: ['group', 'value', 'second'],
    letter: ['group', 'value', 'first', 0, 0],
  };
  const told = Object.entries(asked).map(([name, path]) => [name, { get_attr: path }] as const);
  const request = { name: 'paths', template: hot(types, Object.fromEntries(told)) };
  const stack = await settled(await creating.create(ctx, request));
  expect(stack).toMatchObject({ action: 'CREATE', state: 'complete' });
  if (!stack) throw new Error('gone');
  expect(await outputs(stack)).toEqual({
    each: ['a', 'a'],
    named: { 0: 'b', 1: 'b' },
    below: 'b',
    reference: expect.stringMatching(/./),
    scaled: ['b', 'b'],
    nowhere: [null, null],
    letter: ['a', 'a'],
  });
  await remove(stack);
});

describe('the next update of a stack replaces a resource that is marked unhealthy', () => {
  const random = { type: 'OS::Heat::RandomString' };
  const properties = { count: 2, resource_def: random };
  const group = { type: 'OS::Heat::ResourceGroup', properties };
  const inner = hot({ group }, { value: { get_attr: ['group', 'value'] } });
  const request = {
    template: hot({ above: { type: 'inner.yaml' } }, { all: { get_attr: ['above', 'value'] } }),
    files: { 'inner.yaml': JSON.stringify(inner) },
  };

  const resourceIn = async (stackId: string, wanted: string): Promise<StackResource> => {
    const all = await stacks.resources(ctx, asId(stackId));
    const found = all.find(({ name }) => name === wanted);
    if (!found) throw new Error(`no ${wanted}`);
    return found;
  };
  /** @param path of names, the last of which is marked */
  async function updatedAfterMarking(name: string, path: readonly string[]) {
    const stack = await settled(await creating.create(ctx, { name, ...request }));
    if (!stack) throw new Error('gone');
    const before = (await outputs(stack))['all'] as string[];
    let holder: Stack | undefined = stack;
    let row: StackResource | undefined;
    for (const step of path) {
      if (row) holder = await settled({ id: asId(row.physicalId ?? '') });
      row = holder && (await resourceIn(holder.id, step));
    }
    if (!holder || !row) throw new Error('gone');
    await signals.markUnhealthy(ctx, holder, row, true, null);
    await changing.update(ctx, stack, request);
    expect(await settled(stack)).toMatchObject({ action: 'UPDATE', state: 'complete' });
    const after = (await outputs(stack))['all'] as string[];
    await remove(stack);
    return after.map((value, at) => value === before[at]);
  }

  it('as a member of a nested group', async () => {
    expect(await updatedAfterMarking('member', ['above', 'group', '0'])).toEqual([false, true]);
  });

  it('as a nested group', async () => {
    expect(await updatedAfterMarking('whole', ['above', 'group'])).toEqual([false, false]);
  });

  it('as a nested stack', async () => {
    expect(await updatedAfterMarking('below', ['above'])).toEqual([false, false]);
  });
});

describe('a group', () => {
  const value = { type: 'OS::Heat::Value', properties: { value: 'x' } };
  const size = { get_attr: ['group', 'current_size'] };
  const policy = {
    type: 'OS::Heat::ScalingPolicy',
    properties: {
      auto_scaling_group_id: { get_resource: 'group' },
      adjustment_type: 'change_in_capacity',
      scaling_adjustment: 1,
      cooldown: 60,
    },
  };
  const group = {
    type: 'OS::Heat::AutoScalingGroup',
    properties: { min_size: 1, max_size: 5, resource: value },
  };

  async function resourceOf({ id }: Stack, wanted: string): Promise<StackResource> {
    const found = (await stacks.resources(ctx, id)).find(({ name }) => name === wanted);
    if (!found) throw new Error(`no ${wanted}`);
    return found;
  }

  it('accepts one of two concurrent signals, and is read anew in the metadata of others', async () => {
    const reader = { ...value, metadata: { size } };
    const template = hot({ group, policy, reader }, { size });
    const stack = await settled(await creating.create(ctx, { name: 'scaled', template }));
    if (!stack) throw new Error('gone');
    const [signalled, read] = [
      await resourceOf(stack, 'policy'),
      await resourceOf(stack, 'reader'),
    ];
    expect(await reading.metadataOf(ctx, read)).toEqual({ size: 1 });
    await Promise.all([1, 2, 3].map(() => signals.signal(ctx, signalled, {})));
    await settled({ id: asId((await resourceOf(stack, 'group')).physicalId ?? '') });
    expect(await outputs(stack)).toEqual({ size: 2 });
    expect(await reading.metadataOf(ctx, read)).toEqual({ size: 2 });
    await remove(stack);
  });

  it('rejects a signal while it is suspended', async () => {
    const template = hot({ group, policy });
    const stack = await settled(await creating.create(ctx, { name: 'resting', template }));
    if (!stack) throw new Error('gone');
    await acting.act(ctx, stack, 'SUSPEND');
    await settled(stack);
    const signal = signals.signal(ctx, await resourceOf(stack, 'policy'), {});
    await expect(signal).rejects.toThrow('Signal resource during SUSPEND is not supported.');
    const reason = 'Cannot signal resource during SUSPEND';
    const told = await selectRows(ctx.manager, StackEvent, 'WHERE reason = $1', [reason]);
    expect(told).toMatchObject([{ action: 'SUSPEND', status: 'COMPLETE' }]);
    await remove(stack);
  });

  it('is updated in batches to other files', async () => {
    const text = JSON.stringify(hot({ value }, { value: { get_attr: ['value', 'value'] } }));
    const of = (type: string) => ({
      template: hot(
        {
          group: {
            type: 'OS::Heat::ResourceGroup',
            properties: { count: 2, resource_def: { type } },
            update_policy: { rolling_update: { max_batch_size: 1 } },
          },
        },
        { all: { get_attr: ['group', 'value'] } },
      ),
      files: { [type]: text.replace('"x"', JSON.stringify(type)) },
    });
    const request = { name: 'batches', ...of('one.yaml') };
    const stack = await settled(await creating.create(ctx, request));
    if (!stack) throw new Error('gone');
    expect(await outputs(stack)).toEqual({ all: ['one.yaml', 'one.yaml'] });
    await changing.update(ctx, stack, of('two.yaml'));
    expect(await settled(stack)).toMatchObject({ action: 'UPDATE', state: 'complete' });
    expect(await outputs(stack)).toEqual({ all: ['two.yaml', 'two.yaml'] });
    await remove(stack);
  });
});
