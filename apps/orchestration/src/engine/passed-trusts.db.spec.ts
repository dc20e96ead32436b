/** Trusts that services passed on for a stack's resources: they end once no resource uses them. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Stack } from '../rows/stack.entity.js';
import type { ReadTemplate } from '../template/read-template.js';
import { TestEngine } from './engine.fixture.js';
import { NESTED, nestedThings } from './nested-things.fixture.js';
import { template } from './template.fixture.js';
import { RefusedError, TestThings } from './test-things.fixture.js';

const DELEGATE = 'Test::Delegate';

let engine: TestEngine;
let worker: { stop(): Promise<void> };
const things = new TestThings();

beforeAll(async () => {
  const delegate = { ...things.type, name: DELEGATE, passesTrustOn: true } as const;
  engine = await TestEngine.start({ types: [things.type, delegate, nestedThings] });
  worker = await engine.work();
});
afterAll(async () => {
  await worker.stop();
  await engine.stop();
});
afterEach(() => {
  things.clear();
  engine.endedTrusts.length = 0;
});

async function made(read: ReadTemplate): Promise<Stack> {
  const stack = await engine.create(read, { trustId: 't1' });
  await engine.settled(stack);
  return stack;
}

/** By another user, with another trust. */
async function changed(stack: Stack, read: ReadTemplate): Promise<readonly string[] | undefined> {
  const columns = { trustId: 't2', formerTrustIds: ['t1'] };
  const templateId = await engine.templates.store(engine.ctx, read);
  await engine.act(stack, 'UPDATE', { ...columns, templateId });
  return (await engine.settled(stack))?.formerTrustIds;
}

const plain = { a: {} };
const delegating = { a: {}, cluster: { type: DELEGATE } };
const above = { below: { type: NESTED, properties: { resources: delegating } } };

describe('a former trust', () => {
  it('ends with the action if it was not passed on', async () => {
    const stack = await made(template(plain));
    expect(await changed(stack, template(plain))).toEqual([]);
    expect(engine.endedTrusts).toEqual(['t1']);
  });

  it.each([
    ['the stack', delegating],
    ['one below', above],
  ])('is kept as long as %s passes it on', async (_, resources) => {
    const stack = await made(template(resources));
    expect(await changed(stack, template(resources))).toEqual(['t1']);
    expect(engine.endedTrusts).toEqual([]);
    expect(await changed(stack, template(plain))).toEqual([]);
    expect(engine.endedTrusts).toEqual(['t1']);
  });

  it('is kept after a failure, and ends with the stack', async () => {
    const stack = await made(template(delegating));
    things.failures.set('create b', new RefusedError('There is no room.'));
    expect(await changed(stack, template({ ...delegating, b: {} }))).toEqual(['t1']);
    expect(await engine.dataSource.query('SELECT FROM loose_trusts')).toEqual([]);
    await engine.act(stack, 'DELETE');
    expect(await engine.settled(stack)).toBeUndefined();
    expect(engine.endedTrusts).toEqual(['t1', 't2']);
  });
});
