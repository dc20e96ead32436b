/** The order of work when there is more than the workers can do at once. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '@cumulet/common/observe/logger';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { TestEngine } from './engine.fixture.js';
import { template, type TestResource } from './template.fixture.js';
import { TestThings } from './test-things.fixture.js';

let engine: TestEngine;

beforeAll(async () => {
  engine = await TestEngine.start({ types: [new TestThings().type] });
});
afterAll(() => engine.stop());

/** Plans a stack with so many independent resources. @returns their turns */
async function planned(count: number, projectId: string): Promise<number[]> {
  const names = Array.from({ length: count }, (_, at): [string, TestResource] => [`r${at}`, {}]);
  const stack = await engine.create(template(Object.fromEntries(names)), {
    projectId: projectId as never,
  });
  const logger = createLogger('test', 'silent');
  await runReconciler(engine.stackReconciler, engine.ctx, stack.id, 0, { logger });
  const rows = await engine.stacks.resources(engine.ctx, stack.id);
  return rows.map(({ turn }) => turn).sort((one, other) => one - other);
}

it('a small stack is not delayed by a large one, nor a project by another', async () => {
  const large = await planned(200, 'busy');
  expect(large[0]).toBe(0);
  expect(large.at(-1)).toBe(6);
  // The project's earlier work comes first.
  expect(await planned(2, 'busy')).toEqual([6, 6]);
  expect(await planned(2, 'other')).toEqual([0, 0]);
});
