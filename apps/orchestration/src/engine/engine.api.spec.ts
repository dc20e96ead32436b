/** Stacks by commands, with the whole engine from templates to resources. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { selectRow, selectRows } from '@cumulet/common/database/rows';
import { eventually } from '@cumulet/testing/settle';
import { StackSnapshot } from '../rows/stack-snapshot.entity.js';
import { StackTemplate } from '../rows/stack-template.entity.js';
import type { Stack } from '../rows/stack.entity.js';
import type { StackWorkRepository } from '../rows/stack-work.repository.js';
import type { JsonObject } from '../json/json.js';
import { CommandedStacks, hot } from './commanded-stacks.fixture.js';
import type { ActOnStack } from './commands/act-on-stack.js';
import type { ChangeStack } from './commands/change-stack.js';
import type { CreateStack } from './commands/create-stack.js';
import type { PreviewStack } from './commands/preview-stack.js';
import type { ReadStack } from './commands/read-stack.js';
import type { SignalResource } from './commands/signal-resource.js';

let started: CommandedStacks;
let acting: ActOnStack;
let changing: ChangeStack;
let creating: CreateStack;
let previews: PreviewStack;
let reading: ReadStack;
let signals: SignalResource;
let stacks: StackWorkRepository;
let ctx: RequestContext;

beforeAll(async () => {
  started = await CommandedStacks.start();
  ({ acting, changing, creating, previews, reading, signals, stacks, ctx } = started);
});

afterAll(() => started.stop());

const settled = (stack: Pick<Stack, 'id'>): Promise<Stack | undefined> => started.settled(stack);
const outputs = (stack: Stack): Promise<Record<string, unknown>> => started.outputs(stack);
const remove = (stack: Stack): Promise<void> => started.remove(stack);

const test = (properties: JsonObject = {}): JsonObject => ({
  type: 'OS::Heat::TestResource',
  properties,
});

describe('a stack', () => {
  it('passes values between resources, and has outputs', async () => {
    const template = hot(
      {
        one: test({ value: 'x' }),
        two: test({
          value: {
            str_replace: { template: 'v-y', params: { v: { get_attr: ['one', 'output'] } } },
          },
        }),
        word: { type: 'OS::Heat::RandomString', properties: { length: 8 } },
      },
      { two: { get_attr: ['two', 'output'] }, word: { get_attr: ['word', 'value'] } },
    );
    const stack = await creating.create(ctx, { name: 'values', template });
    expect(await settled(stack)).toMatchObject({
      state: 'complete',
      stateReason: 'Stack CREATE completed successfully',
    });
    const shown = await outputs(stack);
    expect(shown['two']).toBe('x-y');
    expect(shown['word']).toMatch(/^[A-Za-z0-9]{8}$/);
    await remove(stack);
  });

  it("fails with a message in Heat's form", async () => {
    const template = hot({ one: test({ fail: true }) });
    const stack = await creating.create(ctx, { name: 'failing', template });
    expect(await settled(stack)).toMatchObject({
      state: 'failed',
      stateReason: 'Resource CREATE failed: ValueError: resources.one: Test Resource failed one',
    });
    await remove(stack);
  });

  it('keeps everything that a patch does not name', async () => {
    const template = {
      ...hot(
        { one: test({ value: { get_param: 'a' } }) },
        { one: { get_attr: ['one', 'output'] } },
      ),
      parameters: { a: { type: 'string' }, b: { type: 'string', default: 'b' } },
    };
    const stack = await creating.create(ctx, { name: 'patched', template, parameters: { a: '1' } });
    const created = await settled(stack);
    if (!created) throw new Error('gone');
    await changing.update(ctx, created, { existing: true, parameters: { b: '2' } });
    const updated = await settled(stack);
    expect(updated).toMatchObject({ action: 'UPDATE', state: 'complete' });
    expect((await reading.templateOf(ctx, updated ?? stack)).source.environment).toMatchObject({
      parameters: { a: '1', b: '2' },
    });
    expect(await outputs(stack)).toEqual({ one: '1' });
    await remove(stack);
  });
});

describe('a stack with a pattern that is refused by now', () => {
  const constraints = [{ allowed_pattern: '[a-z]+' }];
  const parameters = { v: { type: 'string', constraints } };
  const files = {
    'below.yaml': JSON.stringify({
      ...hot(
        { thing: test({ value: { get_param: 'v' } }) },
        { shown: { get_attr: ['thing', 'output'] } },
      ),
      parameters,
    }),
  };
  const template = {
    ...hot(
      { part: { type: 'below.yaml', properties: { v: { get_param: 'v' } } } },
      { shown: { get_attr: ['part', 'shown'] } },
    ),
    parameters,
  };
  const older = (text: string): string => text.replaceAll('[a-z]+', '[a-z](?=x)');

  async function stored(name: string): Promise<Stack> {
    const stack = await creating.create(ctx, { name, template, files, parameters: { v: 'aa' } });
    await settled(stack);
    const sealed = started.fixture.app.nest.get(SealedJson);
    for (const row of await selectRows(ctx.manager, StackTemplate, '', []))
      await ctx.manager.update(StackTemplate, row.id, {
        source: sealed.seal(JSON.parse(older(JSON.stringify(sealed.open(row.source))))),
      });
    return (await stacks.find(ctx, stack.id)) ?? stack;
  }

  it('can be updated and deleted', async () => {
    const stack = await stored('older');
    await changing.update(ctx, stack, { existing: true, parameters: { v: 'b' } });
    expect(await settled(stack)).toMatchObject({ action: 'UPDATE', state: 'complete' });
    expect(await outputs(stack)).toEqual({ shown: 'b' });
    await remove(stack);
  });

  it('can be rolled back to', async () => {
    const stack = await stored('older-kept');
    const failing = hot({ part: test({ fail: true }) });
    await changing.update(ctx, stack, { template: failing, disableRollback: false });
    expect(await settled(stack)).toMatchObject({ action: 'ROLLBACK', state: 'complete' });
    expect(await outputs(stack)).toEqual({ shown: 'aa' });
    await remove(stack);
  });

  it('refuses the template in an update', async () => {
    const again = JSON.parse(older(JSON.stringify(template))) as JsonObject;
    await expect(
      creating.create(ctx, { name: 'again', template: again, files, parameters: { v: 'aa' } }),
    ).rejects.toThrow("a look-ahead ('(?=')");
  });
});

describe('a nested stack', () => {
  const below = JSON.stringify({
    ...hot(
      { thing: test({ value: { get_param: 'v' } }) },
      { shown: { get_attr: ['thing', 'output'] } },
    ),
    parameters: { v: { type: 'string' } },
  });
  const above = (v: string): JsonObject =>
    hot(
      {
        part: { type: 'below.yaml', properties: { v } },
        after: test({ value: { get_attr: ['part', 'shown'] } }),
      },
      { after: { get_attr: ['after', 'output'] } },
    );

  it('is created, updated and deleted with its resource', async () => {
    const files = { 'below.yaml': below };
    const stack = await creating.create(ctx, { name: 'above', template: above('1'), files });
    const created = await settled(stack);
    expect(created).toMatchObject({ state: 'complete' });
    expect(await outputs(stack)).toEqual({ after: '1' });
    if (created) await changing.update(ctx, created, { template: above('2'), files });
    expect(await settled(stack)).toMatchObject({ action: 'UPDATE', state: 'complete' });
    expect(await outputs(stack)).toEqual({ after: '2' });
    await remove(stack);
    const left: unknown = await started.fixture.app.dataSource.query(
      'SELECT count(*)::int AS count FROM stacks',
    );
    expect(left).toEqual([{ count: 0 }]);
  });

  it('reports failures through the stacks above', async () => {
    const failing = JSON.stringify(hot({ thing: test({ fail: true }) }));
    const template = hot({ part: { type: 'below.yaml' } });
    const files = { 'below.yaml': failing };
    const stack = await creating.create(ctx, { name: 'failing-above', template, files });
    expect(await settled(stack)).toMatchObject({
      stateReason:
        'Resource CREATE failed: ValueError: resources.part.resources.thing: Test Resource failed thing',
    });
    await remove(stack);
  });
});

describe('a group', () => {
  const group = (count: number, value = 'v-%index%'): JsonObject =>
    hot(
      {
        all: {
          type: 'OS::Heat::ResourceGroup',
          properties: { count, resource_def: test({ value }) },
        },
      },
      {
        values: { get_attr: ['all', 'output'] },
        first: { get_attr: ['all', 'resource.0.output'] },
      },
    );

  it('has the requested number of members, each with its index', async () => {
    const stack = await creating.create(ctx, { name: 'group', template: group(2) });
    const created = await settled(stack);
    expect(created?.stateReason).toBe('Stack CREATE completed successfully');
    expect(await outputs(stack)).toEqual({ values: ['v-0', 'v-1'], first: 'v-0' });
    if (created) await changing.update(ctx, created, { template: group(3, 'w-%index%') });
    expect((await settled(stack))?.stateReason).toBe('Stack UPDATE completed successfully');
    expect(await outputs(stack)).toEqual({ values: ['w-0', 'w-1', 'w-2'], first: 'w-0' });
    await remove(stack);
  });

  it('is updated by a new template of its members', async () => {
    const below = (value: string): JsonObject =>
      hot({ one: test({ value }) }, { output: { get_attr: ['one', 'output'] } });
    const template = hot(
      {
        part: { type: 'member.yaml' },
        all: {
          type: 'OS::Heat::ResourceGroup',
          properties: { count: 1, resource_def: { type: 'member.yaml' } },
        },
      },
      { part: { get_attr: ['part', 'output'] }, all: { get_attr: ['all', 'output'] } },
    );
    const files = (value: string) => ({ 'member.yaml': JSON.stringify(below(value)) });
    const stack = await creating.create(ctx, { name: 'members', template, files: files('1') });
    const created = await settled(stack);
    expect(await outputs(stack)).toEqual({ part: '1', all: ['1'] });
    if (created) await changing.update(ctx, created, { template, files: files('2') });
    expect((await settled(stack))?.stateReason).toBe('Stack UPDATE completed successfully');
    expect(await outputs(stack)).toEqual({ part: '2', all: ['2'] });
    await remove(stack);
  });

  it('is resized by the signal of a scaling policy', async () => {
    const template = hot(
      {
        group: {
          type: 'OS::Heat::AutoScalingGroup',
          properties: { min_size: 1, max_size: 3, resource: test({ value: 'v' }) },
        },
        up: {
          type: 'OS::Heat::ScalingPolicy',
          properties: {
            auto_scaling_group_id: { get_resource: 'group' },
            adjustment_type: 'change_in_capacity',
            scaling_adjustment: 1,
          },
        },
      },
      { size: { get_attr: ['group', 'current_size'] } },
    );
    const stack = await creating.create(ctx, { name: 'scaling', template });
    expect((await settled(stack))?.stateReason).toBe('Stack CREATE completed successfully');
    const rows = await stacks.resources(ctx, stack.id);
    const policy = rows.find(({ name }) => name === 'up');
    if (policy) await signals.signal(ctx, policy, null);
    const group = rows.find(({ name }) => name === 'group');
    const sizeOf = async () =>
      group && (await reading.attributesOf(ctx, group, ['current_size']))['current_size'];
    await eventually('it has grown', async () => (await sizeOf()) === 2);
    expect(await outputs(stack)).toEqual({ size: 2 });
    await remove(stack);
  });
});

describe('a snapshot', () => {
  it('restores the former state of a stack', async () => {
    const of = (value: string) =>
      hot({ one: test({ value }) }, { one: { get_attr: ['one', 'output'] } });
    const stack = await creating.create(ctx, { name: 'kept', template: of('1') });
    const created = await settled(stack);
    if (!created) throw new Error('gone');
    const snapshot = await acting.snapshot(ctx, created, 'before');
    const kept = await settled(stack);
    expect(kept).toMatchObject({ action: 'SNAPSHOT', state: 'complete' });
    if (kept) await changing.update(ctx, kept, { template: of('2') });
    const updated = await settled(stack);
    const row = await selectRow(ctx.manager, StackSnapshot, 'WHERE id = $1', [snapshot.id]);
    if (updated && row) await changing.restore(ctx, updated, row);
    expect(await settled(stack)).toMatchObject({ action: 'RESTORE', state: 'complete' });
    expect(await outputs(stack)).toEqual({ one: '1' });
    await remove(stack);
  });
});

describe('an abandoned stack', () => {
  it('is adopted with its resources', async () => {
    const template = hot({ one: test({ value: '1' }) }, { one: { get_attr: ['one', 'output'] } });
    const stack = await creating.create(ctx, { name: 'left', template });
    const created = await settled(stack);
    if (!created) throw new Error('gone');
    const data = await acting.abandon(ctx, created);
    expect(await stacks.find(ctx, stack.id)).toBeUndefined();
    const adopted = await creating.adopt(ctx, { name: 'taken', template }, data);
    expect(await settled(adopted)).toMatchObject({ action: 'ADOPT', state: 'complete' });
    expect(await outputs(adopted)).toEqual({ one: '1' });
    await remove(adopted);
  });
});

describe('a preview', () => {
  it('shows the effect of an update', async () => {
    const template = hot({ same: test(), other: test({ value: 'a' }), gone: test() });
    const stack = await creating.create(ctx, { name: 'previewed', template });
    const created = await settled(stack);
    if (!created) throw new Error('gone');
    const after = hot({
      same: test(),
      other: test({ value: 'b' }),
      new: test(),
    });
    const changes = await previews.previewUpdate(ctx, created, { template: after });
    const names = Object.entries(changes).map(([kind, all]) => [kind, all.map(({ name }) => name)]);
    expect(Object.fromEntries(names)).toEqual({
      unchanged: ['same'],
      updated: ['other'],
      replaced: [],
      added: ['new'],
      deleted: ['gone'],
    });
    await remove(stack);
  });
});

describe('a cancelled action', () => {
  const of = (value: string, more: JsonObject = {}) => hot({ one: test({ value }), ...more });
  const stuck = { two: test({ action_wait_secs: { create: -1 } }) };

  async function updating(name: string): Promise<Stack> {
    const stack = await creating.create(ctx, { name, template: of('1') });
    const created = await settled(stack);
    if (!created) throw new Error('gone');
    const updated = await changing.update(ctx, created, { template: of('2', stuck) });
    await eventually('the new resource is begun', async () => {
      const rows = await stacks.resources(ctx, stack.id);
      return rows.some((row) => row.name === 'two' && row.physicalId !== null);
    });
    return updated;
  }

  it('rolls back', async () => {
    const stack = await updating('cancelled');
    await acting.cancelUpdate(ctx, stack);
    expect(await settled(stack)).toMatchObject({ action: 'ROLLBACK', state: 'complete' });
    const rows = await stacks.resources(ctx, stack.id);
    expect(rows.map(({ name }) => name)).toEqual(['one']);
    await remove(stack);
  });

  it('leaves the stack as it is', async () => {
    const stack = await updating('stopped');
    await acting.cancelWithoutRollback(ctx, stack);
    expect(await settled(stack)).toMatchObject({
      action: 'UPDATE',
      state: 'failed',
      stateReason: 'Stack UPDATE cancelled',
    });
    await remove(stack);
  });
});

describe('a resource marked unhealthy', () => {
  it('is replaced by the next update', async () => {
    const template = hot({ one: test({ value: '1' }) });
    const stack = await creating.create(ctx, { name: 'unhealthy', template });
    const created = await settled(stack);
    const [before] = await stacks.resources(ctx, stack.id);
    if (!created || !before) throw new Error('gone');
    await signals.markUnhealthy(ctx, created, before, true, null);
    const [marked] = await stacks.resources(ctx, stack.id);
    expect(marked).toMatchObject({ action: 'CHECK', status: 'FAILED' });
    await changing.update(ctx, created, { template });
    expect(await settled(stack)).toMatchObject({ action: 'UPDATE', state: 'complete' });
    const [after] = await stacks.resources(ctx, stack.id);
    expect(after?.physicalId).not.toBe(before.physicalId);
    await remove(stack);
  });
});
