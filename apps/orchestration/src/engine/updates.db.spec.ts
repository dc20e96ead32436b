/** Stacks that are updated, fail, and are interrupted. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import type { StackResource } from '../rows/stack-resource.entity.js';
import { TestEngine } from './engine.fixture.js';
import { template } from './template.fixture.js';
import { RefusedError, TestThings } from './test-things.fixture.js';

let engine: TestEngine;
let worker: { stop(): Promise<void> };
const things = new TestThings();

beforeAll(async () => {
  const config = { deleteRetrySeconds: 1, errorWaitSeconds: 0 };
  engine = await TestEngine.start({ types: [things.type], config });
  worker = await engine.work();
});

afterEach(() => {
  things.failures.clear();
  things.stuck.clear();
  things.log.length = 0;
});

afterAll(async () => {
  await worker.stop();
  await engine.stop();
});

const values = (): unknown[] => [...things.things.values()].map(({ value }) => value).sort();

describe('an update', () => {
  it('changes what it can in place, and leaves the rest alone', async () => {
    const stack = await engine.create(template({ a: { properties: { value: 1 } }, b: {} }));
    await engine.settled(stack);
    things.log.length = 0;
    await engine.update(stack, template({ a: { properties: { value: 2 } }, b: {} }));
    expect(await engine.settled(stack)).toMatchObject({
      action: 'UPDATE',
      state: 'complete',
      previousTemplateId: null,
    });
    expect(things.log).toEqual(['update a']);
    expect(await engine.statuses(stack)).toEqual({ a: 'UPDATE_COMPLETE', b: 'CREATE_COMPLETE' });
    await engine.act(stack, 'DELETE');
    await engine.settled(stack);
  });

  it('replaces a resource, and deletes the old one after its dependents have changed', async () => {
    const of = (fixed: number) =>
      template({
        a: { properties: { fixed } },
        b: { properties: { value: { ref: 'a' } } },
        gone: {},
      });
    const stack = await engine.create(of(1));
    await engine.settled(stack);
    things.log.length = 0;
    const rest = Object.entries(of(2).source.template['resources'] as object);
    await engine.update(
      stack,
      template(Object.fromEntries(rest.filter(([name]) => name !== 'gone'))),
    );
    expect(await engine.settled(stack)).toMatchObject({ action: 'UPDATE', state: 'complete' });
    expect(things.log.slice(0, 2)).toEqual(['create a', 'update b']);
    expect(things.log.slice(2).sort()).toEqual(['remove a', 'remove gone']);
    expect(await engine.statuses(stack)).toEqual({ a: 'CREATE_COMPLETE', b: 'UPDATE_COMPLETE' });
    expect(things.things.size).toBe(2);
    await engine.act(stack, 'DELETE');
    await engine.settled(stack);
    expect(things.things.size).toBe(0);
  });

  it('is rolled back when it fails', async () => {
    const stack = await engine.create(
      template({ a: { properties: { fixed: 1, value: 1 } }, b: { requires: ['a'] } }),
      { disableRollback: false },
    );
    await engine.settled(stack);
    const before = [...things.things.keys()].sort();
    things.failures.set('create c', new RefusedError('Full.'));
    await engine.update(
      stack,
      template({
        a: { properties: { fixed: 2, value: 1 } },
        b: { requires: ['a'] },
        c: { requires: ['b'] },
      }),
    );
    expect(await engine.settled(stack)).toMatchObject({
      action: 'ROLLBACK',
      state: 'complete',
      stateReason: 'Stack ROLLBACK completed successfully',
    });
    expect([...things.things.keys()].sort()).toEqual(before);
    const events = await engine.events(stack);
    expect(events).toContain(
      'stack UPDATE_FAILED: Resource CREATE failed: Refused: resources.c: Full.',
    );
    await engine.act(stack, 'DELETE');
    await engine.settled(stack);
  });

  it('supersedes another update in progress', async () => {
    const stack = await engine.create(template({ a: { properties: { value: 1 } } }));
    await engine.settled(stack);
    things.stuck.add('b');
    await engine.update(stack, template({ a: { properties: { value: 2 } }, b: {} }));
    await eventually('b is begun', () => things.log.includes('create b'));
    await engine.update(stack, template({ a: { properties: { value: 3 } } }));
    expect(await engine.settled(stack)).toMatchObject({ action: 'UPDATE', state: 'complete' });
    expect(values()).toEqual([3]);
    await engine.act(stack, 'DELETE');
    await engine.settled(stack);
  });

  it('with converge restores drifted and missing resources', async () => {
    const stack = await engine.create(
      template({ a: { properties: { value: 1 } }, b: { properties: { value: 2 } }, c: {} }),
    );
    await engine.settled(stack);
    const rows = await engine.stacks.resources(engine.ctx, stack.id);
    const idOf = (name: string) => rows.find((row) => row.name === name)?.physicalId ?? '';
    const a = things.things.get(idOf('a'));
    if (a) a.value = 'drifted';
    things.things.delete(idOf('b'));
    things.log.length = 0;
    await engine.act(stack, 'UPDATE', { data: { isForced: true } });
    expect(await engine.settled(stack)).toMatchObject({ action: 'UPDATE', state: 'complete' });
    expect([...things.log].sort()).toEqual(['create b', 'remove b', 'update a']);
    expect(values()).toEqual([1, 2, null]);
    await engine.act(stack, 'DELETE');
    await engine.settled(stack);
  });

  it('replaces failed resources', async () => {
    things.failures.set('look at a', new RefusedError('Broken.'));
    const stack = await engine.create(template({ a: {} }));
    expect(await engine.settled(stack)).toMatchObject({ state: 'failed' });
    const [first] = things.things.keys();
    things.failures.clear();
    await engine.update(stack, template({ a: {} }));
    expect(await engine.settled(stack)).toMatchObject({ state: 'complete' });
    expect(things.things.size).toBe(1);
    expect(things.things.has(first ?? '')).toBe(false);
    await engine.act(stack, 'DELETE');
    await engine.settled(stack);
  });
});

describe('a creation', () => {
  it('is rolled back when it fails', async () => {
    things.failures.set('create b', new RefusedError('Full.'));
    const stack = await engine.create(template({ a: {}, b: { requires: ['a'] } }), {
      disableRollback: false,
    });
    expect(await engine.settled(stack)).toMatchObject({ action: 'ROLLBACK', state: 'complete' });
    expect(things.things.size).toBe(0);
    expect(await engine.statuses(stack)).toEqual({});
  });

  it('can be deleted while it is in progress', async () => {
    things.stuck.add('a');
    const stack = await engine.create(template({ a: {}, b: { requires: ['a'] } }));
    await eventually('a is begun', () => things.log.includes('create a'));
    await engine.act(stack, 'DELETE');
    expect(await engine.settled(stack)).toBeUndefined();
    expect(things.things.size).toBe(0);
  });

  it('fails when its time is over', async () => {
    things.stuck.add('a');
    const timeoutAt = new Date(Date.now() + 300);
    const stack = await engine.create(template({ a: {} }), { timeoutAt });
    expect(await engine.settled(stack)).toMatchObject({
      state: 'failed',
      stateReason: 'Create timed out',
    });
    await engine.act(stack, 'DELETE');
    expect(await engine.settled(stack)).toBeUndefined();
    expect(things.things.size).toBe(0);
  });
});

describe('a snapshot', () => {
  it('is deleted with its stack, even if its resource is gone', async () => {
    const stack = await engine.create(template({ a: { properties: { value: 'kept' } }, b: {} }));
    await engine.settled(stack);
    const snapshotId = randomUUID();
    await engine.dataSource.query(
      'INSERT INTO stack_snapshots (id, stack_id, project_id) VALUES ($1, $2, $3)',
      [snapshotId, stack.id, stack.projectId],
    );
    await engine.act(stack, 'SNAPSHOT', { data: { snapshotId } });
    await engine.settled(stack);
    await engine.update(stack, template({ b: {} }));
    await engine.settled(stack);
    expect(things.log).not.toContain('remove snapshot "kept"');
    await engine.act(stack, 'DELETE');
    expect(await engine.settled(stack)).toBeUndefined();
    expect(things.log).toContain('remove snapshot "kept"');
  });
});

describe('a deletion', () => {
  it('is retried while the service refuses it', async () => {
    const stack = await engine.create(template({ a: {} }));
    await engine.settled(stack);
    things.failures.set('remove a', new RefusedError('In use.'));
    await engine.act(stack, 'DELETE');
    await eventually('it was refused', async () => {
      const [row] = await engine.stacks.resources(engine.ctx, stack.id);
      return row?.reason === 'Refused: resources.a: In use.';
    });
    things.failures.clear();
    expect(await engine.settled(stack)).toBeUndefined();
  });

  it("fails with the service's message, and continues when it is repeated", async () => {
    const stack = await engine.create(template({ a: {} }));
    await engine.settled(stack);
    things.failures.set('remove a', new RefusedError('In use.'));
    await engine.act(stack, 'DELETE');
    expect(await engine.settled(stack)).toMatchObject({
      action: 'DELETE',
      state: 'failed',
      stateReason: 'Resource DELETE failed: Refused: resources.a: In use.',
    });
    things.failures.clear();
    await engine.act(stack, 'DELETE');
    expect(await engine.settled(stack)).toBeUndefined();
    expect(things.things.size).toBe(0);
  });

  it('keeps retained and external resources', async () => {
    things.things.set('other', { key: '', value: null, isSuspended: false, port: null });
    const stack = await engine.create(
      template({ a: { deletionPolicy: 'Retain' }, b: { externalId: 'other' } }),
    );
    expect(await engine.settled(stack)).toMatchObject({ state: 'complete' });
    await engine.act(stack, 'DELETE');
    expect(await engine.settled(stack)).toBeUndefined();
    expect(things.things.size).toBe(2);
    things.things.clear();
  });
});

describe('other actions', () => {
  it('suspend in reverse order and resume in order', async () => {
    const stack = await engine.create(template({ a: {}, b: { requires: ['a'] } }));
    await engine.settled(stack);
    things.log.length = 0;
    await engine.act(stack, 'SUSPEND');
    expect(await engine.settled(stack)).toMatchObject({ action: 'SUSPEND', state: 'complete' });
    await engine.act(stack, 'RESUME');
    expect(await engine.settled(stack)).toMatchObject({ action: 'RESUME', state: 'complete' });
    expect(things.log).toEqual(['suspend b', 'suspend a', 'resume a', 'resume b']);
  });

  it('detect missing resources', async () => {
    const stack = await engine.create(template({ a: {}, b: {} }));
    await engine.settled(stack);
    things.things.clear();
    await engine.act(stack, 'CHECK');
    expect(await engine.settled(stack)).toMatchObject({ action: 'CHECK', state: 'failed' });
    expect(Object.values(await engine.statuses(stack))).toContain('CHECK_FAILED');
  });

  it.each([
    ['CHECK', 'Exception: resources.b: Resource b not created yet.'],
    ['SUSPEND', 'Error: resources.b: Cannot suspend b, resource_id not set'],
    ['RESUME', 'Error: resources.b: Cannot resume b, resource_id not set'],
  ] as const)('%s fails where a resource could not be made', async (action, reason) => {
    things.failures.set('create b', new RefusedError('Full.'));
    const stack = await engine.create(template({ a: {}, b: { requires: ['a'] } }));
    expect(await engine.settled(stack)).toMatchObject({ action: 'CREATE', state: 'failed' });
    things.failures.clear();
    await engine.act(stack, action);
    expect(await engine.settled(stack)).toMatchObject({
      action,
      state: 'failed',
      stateReason: `Resource ${action} failed: ${reason}`,
    });
    expect(await engine.statuses(stack)).toMatchObject({ b: `${action}_FAILED` });
  });
});

describe('a hook', () => {
  it('stops a resource until it is cleared', async () => {
    const stack = await engine.create(template({ a: { hooks: ['pre-create'] } }));
    const row = async () => (await engine.stacks.resources(engine.ctx, stack.id))[0];
    await eventually('it has stopped', async () => (await row())?.hook === 'pre-create');
    expect(await engine.events(stack)).toContain(
      'a INIT_COMPLETE: CREATE paused until Hook pre-create is cleared',
    );
    expect(things.log).toEqual([]);
    const resource = await row();
    if (resource) await engine.signals.signal(engine.ctx, resource, { unset_hook: 'pre-create' });
    expect(await engine.settled(stack)).toMatchObject({ state: 'complete' });
  });

  it('stops a resource that an update does not change', async () => {
    const same = template({ a: {}, b: { hooks: ['pre-update'], requires: ['a'] } });
    const stack = await engine.create(same);
    await engine.settled(stack);
    await engine.update(stack, same);
    let stopped: StackResource | undefined;
    await eventually('b has stopped', async () => {
      const rows = await engine.stacks.resources(engine.ctx, stack.id);
      stopped = rows.find(({ hook }) => hook !== null);
      return stopped !== undefined;
    });
    expect(await engine.events(stack)).toContain(
      'b CREATE_COMPLETE: UPDATE paused until Hook pre-update is cleared',
    );
    if (stopped) await engine.signals.signal(engine.ctx, stopped, { unset_hook: 'pre-update' });
    expect(await engine.settled(stack)).toMatchObject({ action: 'UPDATE', state: 'complete' });
    expect(await engine.statuses(stack)).toEqual({ a: 'CREATE_COMPLETE', b: 'CREATE_COMPLETE' });
  });
});

describe('an external resource', () => {
  const external = (externalId?: string, value = 1) =>
    template({ a: { properties: { value }, ...(externalId === undefined ? {} : { externalId }) } });

  beforeEach(() => {
    for (const key of ['other', 'third'])
      things.things.set(key, { key: '', value: null, isSuspended: false, port: null });
  });

  afterEach(() => things.things.clear());

  it('is not changed by an update', async () => {
    const stack = await engine.create(external('other'));
    await engine.settled(stack);
    await engine.update(stack, external('other', 2));
    expect(await engine.settled(stack)).toMatchObject({ action: 'UPDATE', state: 'complete' });
    expect(things.log).toEqual([]);
  });

  it.each([
    ['is never another thing', 'other', 'third'],
    ['does not become one of the stack', 'other', undefined],
    ['does not take the place of a thing of the stack', undefined, 'other'],
  ])('%s', async (_, before, after) => {
    const stack = await engine.create(external(before));
    await engine.settled(stack);
    const all = [...things.things.keys()];
    for (const _again of [1, 2]) {
      await engine.update(stack, external(after));
      expect(await engine.settled(stack)).toMatchObject({
        state: 'failed',
        stateReason:
          'Resource UPDATE failed: NotSupported: resources.a: Update to property external_id of Test::Thing is not supported.',
      });
    }
    expect([...things.things.keys()]).toEqual(all);
  });

  it('can be changed to another ID if it was not found', async () => {
    const stack = await engine.create(external('nothing'));
    expect(await engine.settled(stack)).toMatchObject({ state: 'failed' });
    await engine.update(stack, external('other'));
    expect(await engine.settled(stack)).toMatchObject({ state: 'complete' });
    expect(things.log).toEqual([]);
  });
});
