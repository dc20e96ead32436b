/** Work in progress when a stack fails. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { eventually } from '@cumulet/testing/settle';
import type { StackId } from '../rows/stack.entity.js';
import { TestEngine } from './engine.fixture.js';
import { NESTED, nestedThings } from './nested-things.fixture.js';
import { template } from './template.fixture.js';
import { RefusedError, TestThings } from './test-things.fixture.js';

let engine: TestEngine;
let worker: { stop(): Promise<void> };
const things = new TestThings();

beforeAll(async () => {
  const config = { errorWaitSeconds: 0 };
  engine = await TestEngine.start({ types: [things.type, nestedThings], config });
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

describe('a failure', () => {
  it('ends work in progress, and begins nothing more in nested stacks', async () => {
    things.stuck.add('slow');
    things.stuck.add('below');
    things.stuck.add('bad');
    const resources = { below: {}, after: { requires: ['below'] } };
    const part = { type: NESTED, properties: { resources } };
    const stack = await engine.create(template({ slow: {}, part, bad: {} }));
    await eventually('all is under way', () =>
      ['slow', 'below', 'bad'].every((name) => things.log.includes(`create ${name}`)),
    );
    things.failures.set('look at bad', new RefusedError('Broken.'));
    expect(await engine.settled(stack)).toMatchObject({
      state: 'failed',
      stateReason: 'Resource CREATE failed: Refused: resources.bad: Broken.',
    });
    await eventually('all has ended', async () => {
      const statuses = Object.values(await engine.statuses(stack));
      return statuses.every((status) => status === 'CREATE_FAILED');
    });
    expect(await engine.events(stack)).toContain('slow CREATE_FAILED: CREATE aborted');
    expect(things.log).not.toContain('create after');
    await engine.act(stack, 'DELETE');
    expect(await engine.settled(stack)).toBeUndefined();
  });

  it('limits the time of a nested stack that is just beginning to that of its resource', async () => {
    things.stuck.add('bad');
    things.stuck.add('slow');
    const stack = await engine.create(template({ slow: {}, bad: {} }));
    await eventually('all is under way', () =>
      ['slow', 'bad'].every((name) => things.log.includes(`create ${name}`)),
    );
    const rows = await engine.stacks.resources(engine.ctx, stack.id);
    const { id = '' } = rows.find(({ name }) => name === 'slow') ?? {};
    const slow = await engine.rows.load(engine.ctx, id);
    if (!slow) throw new Error('there is no row');
    await engine.dataSource.query(
      `UPDATE stack_resources SET state_deadline = now() + interval '1 minute' WHERE id = $1`,
      [id],
    );
    const below = { id: asId<StackId>(randomUUID()), name: 'below', adopted: undefined };
    const facade = { metadata: {}, deletionPolicy: 'Delete', updatePolicy: {} } as const;
    await engine.nestedRows.insert(engine.ctx, slow, below, template({}), facade);
    const made = await engine.stacks.find(engine.ctx, below.id);
    const left = (made?.timeoutAt?.getTime() ?? Infinity) - Date.now();
    expect(left).toBeLessThanOrEqual(60_000);
    await engine.act(stack, 'DELETE');
    await engine.settled(stack);
  });
});
