/** Reads of resources that an update has not reached yet. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@cumulet/testing/settle';
import { TestEngine } from '../engine.fixture.js';
import { OTHER, otherThings } from '../other-things.fixture.js';
import { template } from '../template.fixture.js';
import { TestThings } from '../test-things.fixture.js';

let engine: TestEngine;
let worker: { stop(): Promise<void> };
const things = new TestThings();

beforeAll(async () => {
  const blind = {
    ...otherThings(things),
    read: () => Promise.reject(new Error('of another type')),
  };
  engine = await TestEngine.start({ types: [things.type, blind] });
  worker = await engine.work();
});

afterAll(async () => {
  await worker.stop();
  await engine.stop();
});

it('an output reads a resource by its present definition', async () => {
  const asking = { properties: { value: { attr: ['a', 'show'] } } };
  const stack = await engine.create(template({ a: { properties: { value: 1 } }, asking }));
  await engine.settled(stack);
  things.stuck.add('first');
  const next = template(
    { first: {}, a: { type: OTHER, requires: ['first'] }, asking },
    { a: { attr: ['a', 'show'] } },
  );
  await engine.update(stack, next);
  await eventually('the update is under way', () => things.log.includes('create first'));
  const shown = await engine.reading.outputs(engine.ctx, await engine.get(stack.id));
  expect(shown).toEqual([{ name: 'a', description: '', value: { value: 1 } }]);
});
