import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestEngine } from './engine.fixture.js';
import { template } from './template.fixture.js';
import { RefusedError, TestThings } from './test-things.fixture.js';

let engine: TestEngine;
let worker: { stop(): Promise<void> };
const things = new TestThings();

beforeAll(async () => {
  engine = await TestEngine.start({ types: [things.type] });
  worker = await engine.work();
});

afterAll(async () => {
  await worker.stop();
  await engine.stop();
});

const chain = template({
  a: { properties: { value: 1 } },
  b: { properties: { value: { attr: ['a', 'value'] } } },
  c: { requires: ['b'] },
});

describe('a stack', () => {
  it('is created in order of dependencies and deleted in reverse', async () => {
    things.log.length = 0;
    const stack = await engine.create(chain);
    expect(await engine.settled(stack)).toMatchObject({
      state: 'complete',
      stateReason: 'Stack CREATE completed successfully',
    });
    expect(things.log).toEqual(['create a', 'create b', 'create c']);
    expect([...things.things.values()].map(({ value }) => value)).toEqual([1, 1, null]);
    expect(await engine.statuses(stack)).toEqual({
      a: 'CREATE_COMPLETE',
      b: 'CREATE_COMPLETE',
      c: 'CREATE_COMPLETE',
    });
    await engine.act(stack, 'DELETE');
    expect(await engine.settled(stack)).toBeUndefined();
    expect(things.log.slice(3)).toEqual(['remove c', 'remove b', 'remove a']);
    expect(things.things.size).toBe(0);
    expect((await engine.events(stack)).filter((text) => text.startsWith('a '))).toEqual([
      'a CREATE_IN_PROGRESS: state changed',
      'a CREATE_COMPLETE: state changed',
      'a DELETE_IN_PROGRESS: state changed',
      'a DELETE_COMPLETE: state changed',
    ]);
  });

  it('fails with the reason of the failed resource, and begins nothing more', async () => {
    things.failures.set('create b', new RefusedError('There is no room.'));
    const stack = await engine.create(chain);
    expect(await engine.settled(stack)).toMatchObject({
      state: 'failed',
      action: 'CREATE',
      stateReason: 'Resource CREATE failed: Refused: resources.b: There is no room.',
    });
    expect(await engine.statuses(stack)).toEqual({
      a: 'CREATE_COMPLETE',
      b: 'CREATE_FAILED',
      c: 'INIT_COMPLETE',
    });
    things.failures.clear();
  });
});
