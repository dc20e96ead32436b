import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { StackEventRepository } from '../rows/stack-event.repository.js';
import { TestEngine } from './engine.fixture.js';
import { template } from './template.fixture.js';
import { TestThings } from './test-things.fixture.js';
import { DeletedStacksSweep } from './deleted-stacks.sweep.js';

let engine: TestEngine;

beforeAll(async () => {
  engine = await TestEngine.start({ types: [new TestThings().type] });
});
afterAll(() => engine.stop());

const count = async (table: string): Promise<number> => {
  const [row]: { count: number }[] = await engine.dataSource.query(
    `SELECT count(*)::int AS count FROM ${table}`,
  );
  return row?.count ?? 0;
};

it('deletes a deleted stack with its events and template after the retention time', async () => {
  const worker = await engine.work(2);
  const kept = await engine.create(template({ a: {} }));
  const gone = await engine.create(template({ a: {} }));
  await engine.settled(kept);
  await engine.settled(gone);
  await engine.act(gone, 'DELETE');
  await engine.settled(gone);
  await worker.stop();
  const sweep = (archiveDays: number) =>
    new DeletedStacksSweep({ archiveDays }, new StackEventRepository()).forget(engine.ctx);
  await sweep(1);
  expect([await count('deleted_stacks'), await count('stack_templates')]).toEqual([1, 2]);
  expect((await engine.events(gone)).length).toBeGreaterThan(0);
  await sweep(0);
  expect([await count('deleted_stacks'), await count('stack_templates')]).toEqual([0, 1]);
  expect(await engine.events(gone)).toEqual([]);
  expect((await engine.events(kept)).length).toBeGreaterThan(0);
});
