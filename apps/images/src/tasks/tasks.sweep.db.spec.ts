import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { createLogger } from '@cumulet/common/observe/logger';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { newId } from '@cumulet/testing/test-tokens';
import type { DataSource } from 'typeorm';
import { insertImage } from '../images/image-row.fixture.js';
import type { Task } from '../images/tasks/task.entity.js';
import { newImportTask, TaskRepository } from '../images/tasks/task.repository.js';
import { imagesService } from '../service.js';
import { TasksSweep } from './tasks.controller.js';

const tasks = new TaskRepository();

let database: TestDatabase;
let dataSource: DataSource;
let ctx: RequestContext;

beforeAll(async () => {
  database = await createTestDatabase(imagesService);
  dataSource = await imagesService.dataSource(database.url).initialize();
  ctx = RequestContext.system('req-test', dataSource.manager);
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function aTask(state: 'importing' | 'active'): Promise<Task> {
  const image = await insertImage(ctx, { state });
  return tasks.insert(ctx, newImportTask(ctx, asId(newId()), image.id, {}));
}

const sweep = (): Promise<void> =>
  new TasksSweep(tasks, createLogger('test', 'silent')).removeExpired(ctx);

describe('the sweep of tasks', () => {
  it('keeps tasks of running imports', async () => {
    const { id } = await aTask('importing');
    await sweep();
    expect(await tasks.find(ctx, id)).toMatchObject({ status: 'pending', expiresAt: null });
  });

  it('deletes ended tasks once they expire, and not before', async () => {
    const task = await aTask('active');
    await tasks.end(ctx, task.imageId ?? asId(''), { status: 'success', result: {} }, 48);
    await sweep();
    expect(await tasks.find(ctx, task.id)).toMatchObject({ status: 'success' });
    await dataSource.query(`UPDATE tasks SET expires_at = now() - interval '1 second'`);
    await sweep();
    expect(await tasks.find(ctx, task.id)).toBeUndefined();
  });
});

describe('a task', () => {
  it('begins once, and ends once', async () => {
    const task = await aTask('importing');
    const imageId = task.imageId ?? asId('');
    await tasks.begin(ctx, imageId);
    expect(await tasks.find(ctx, task.id)).toMatchObject({ status: 'processing' });
    await tasks.end(ctx, imageId, { status: 'failure', message: 'no' }, 1);
    await tasks.end(ctx, imageId, { status: 'success', result: {} }, 1);
    await tasks.begin(ctx, imageId);
    expect(await tasks.find(ctx, task.id)).toMatchObject({ status: 'failure', message: 'no' });
  });

  it('is the only running one of its image', async () => {
    const { imageId } = await aTask('importing');
    const second = newImportTask(ctx, asId(newId()), imageId ?? asId(''), {});
    await expect(tasks.insert(ctx, second)).rejects.toThrow('tasks_running');
  });
});
