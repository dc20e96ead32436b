/** Failures of imports. */
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@cumulet/common/observe/logger';
import { reconcilerSweep } from '@cumulet/common/reconcile/reconciler-sweep';
import { runReconciler } from '@cumulet/common/reconcile/run-reconciler';
import { transition } from '@cumulet/common/states/transition';
import { type DataId, newDataId } from '@cumulet/storage/stores/byte-store';
import { StoreFullError, StoreUnavailableError } from '@cumulet/storage/stores/store.errors';
import { eventually } from '@cumulet/testing/settle';
import { imageStates } from '../images/image.states.js';
import { ImportWorld } from './import-world.fixture.js';
import { WebServer } from './web-download/web-server.fixture.js';

const DATA = Buffer.from('a raw disk');
const logger = createLogger('test', 'silent');

let web: WebServer;
let answer: Parameters<typeof WebServer.start>[0];
let world: ImportWorld;

beforeAll(async () => {
  web = await WebServer.start((request, response) => answer(request, response));
  world = await ImportWorld.start({
    webDownloadPorts: [web.port],
    imageSizeLimit: 1_000,
    imageBytesQuota: 100,
    imageStagingQuota: 50,
  });
});
afterAll(async () => {
  await world.stop();
  await web.stop();
});
afterEach(async () => {
  answer = (_, response) => response.end(DATA);
  await world.clear();
});

/** The data is removed, and the owner sees the reason. */
async function expectFailed(id: string, reason: string): Promise<void> {
  expect(await world.row(id)).toMatchObject({ state: 'queued', stateReason: reason, dataId: null });
  expect(await world.task(id)).toMatchObject({ status: 'failure', message: reason });
  expect([...world.store.ids]).toEqual([]);
}

/** As `DELETE /v2/images/{image_id}` does, including its objects. */
async function remove(id: string): Promise<void> {
  const { dataId, stagedDataId } = await world.row(id);
  await transition(world.ctx, imageStates, id, 'delete');
  for (const object of [dataId, stagedDataId]) if (object) await world.store.remove(object);
  await world.ctx.manager.query('DELETE FROM images WHERE id = $1', [id]);
}

describe('data that is refused', () => {
  it('does not match the declared format', async () => {
    const { id } = await world.importing(DATA, { diskFormat: 'qcow2' });
    expect(await world.run(id)).toBe('failed');
    await expectFailed(id, 'The data is raw, but disk_format is qcow2.');
  });

  it('was staged and is gone', async () => {
    const image = await world.importing(DATA);
    await world.store.remove(image.stagedDataId as DataId);
    await world.run(image.id);
    await expectFailed(image.id, `The data that was staged for image ${image.id} is damaged.`);
  });

  it('was staged and has another size now', async () => {
    const { id } = await world.importing(DATA, { stagedSize: DATA.length + 1 });
    await world.run(id);
    await expectFailed(id, `The data that was staged for image ${id} is damaged.`);
  });
});

describe('a download that is refused', () => {
  const withLength = (bytes: number): typeof answer => {
    return (_, response) => response.writeHead(200, { 'content-length': bytes }).write('a');
  };
  const endless: typeof answer = (_, response) => {
    const more = (): void => {
      if (!response.destroyed) response.write(Buffer.alloc(16), () => setImmediate(more));
    };
    more();
  };

  it.each([
    ['the limit of images', withLength(1_001), 'The data of an image may have at most 1000 bytes'],
    [
      'the quota',
      withLength(101),
      'Quota exceeded for image_size_total: requested 101, 100 of 100 left',
    ],
    [
      'the quota of staged data',
      withLength(51),
      'Quota exceeded for image_stage_total: requested 51, 50 of 50 left',
    ],
    [
      'the quota, which shows as it comes',
      endless,
      'Quota exceeded for image_stage_total: requested 51, 50 of 50 left',
    ],
  ])('is one that is larger than %s', async (_, answered, reason) => {
    answer = answered;
    const { id } = await world.downloading(web.url('/'));
    await world.run(id);
    expect((await world.row(id)).stateReason).toContain(reason);
    await expectFailed(id, (await world.row(id)).stateReason ?? '');
  });

  it('breaks off', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('half', () => response.destroy());
    };
    const { id } = await world.downloading(web.url('/hunter2?hunter2'));
    await world.run(id);
    await expectFailed(
      id,
      `The download from 127.0.0.1:${web.port} broke off: it closed the connection.`,
    );
  });
});

it('no log line contains the address of a download', async () => {
  let logged = '';
  const sink = createLogger('test', 'trace', { write: (line) => void (logged += line) });
  answer = (_, response) => response.writeHead(302, { location: '/hunter3' }).end();
  const { id } = await world.downloading(web.url('/hunter2?signature=hunter2'));
  await runReconciler(world.reconciler, world.ctx, id, 0, { logger: sink });
  expect(logged).toContain('The download was redirected more than 5 times.');
  expect(logged).not.toMatch(/hunter/);
});

describe('a store', () => {
  it('that is away is retried, with a new object for each attempt', async () => {
    const { id } = await world.importing(DATA);
    world.store.failNextPut = new StoreUnavailableError('image', new Error('away'));
    expect(await world.run(id)).toBe('retried');
    const { dataId: first } = await world.row(id);
    expect(await world.run(id)).toBe('done');
    const { state, dataId } = await world.row(id);
    expect([state, dataId === first, [...world.store.ids]]).toEqual(['active', false, [dataId]]);
  });

  it('that breaks off during a read is retried, however often', async () => {
    const { id } = await world.importing(DATA);
    const broken = new Readable({
      read() {
        this.destroy(new Error('the cable was pulled'));
      },
    });
    const open = jest.spyOn(world.store, 'open').mockResolvedValueOnce(broken);
    expect(await runReconciler(world.reconciler, world.ctx, id, 30, { logger })).toBe('retried');
    expect(await world.run(id)).toBe('done');
    open.mockRestore();
  });

  it('that is full ends the import', async () => {
    const { id } = await world.importing(DATA);
    world.store.failNextPut = new StoreFullError('image', new Error('ENOSPC'));
    await world.run(id);
    await expectFailed(id, 'The image store is full.');
  });

  it('that cannot remove staged data leaves it to the sweep', async () => {
    const { id } = await world.importing(DATA);
    world.store.failNextRemove = new Error('busy');
    expect(await world.run(id)).toBe('done');
    expect((await world.row(id)).state).toBe('active');
    expect(world.store.ids.size).toBe(2);
    await world.objects.removeOrphans(world.ctx, [...world.store.ids]);
    expect(world.store.ids.size).toBe(1);
  });
});

describe('an image that is deleted', () => {
  it('ends its download, leaving nothing', async () => {
    let isClosed = false;
    answer = (_, response) => {
      response.once('close', () => (isClosed = true));
      response.writeHead(200, { 'content-length': 10 }).write('half');
    };
    const { id } = await world.downloading(web.url('/'));
    const run = world.run(id);
    await eventually('the download runs', async () => (await world.row(id)).announcedSize === 10);
    await remove(id);
    expect(await run).toBe('superseded');
    await eventually('the server sees it', () => isClosed);
    expect([...world.store.ids]).toEqual([]);
  });

  it('does not get data stored meanwhile', async () => {
    const { id } = await world.importing(DATA);
    world.store.beforePut = () => remove(id);
    expect(await world.run(id)).toBe('superseded');
    expect([...world.store.ids]).toEqual([]);
  });

  it('does not fail the next run', async () => {
    const { id } = await world.importing(DATA);
    await remove(id);
    expect(await world.run(id)).toBe('settled');
  });
});

describe('a worker', () => {
  it('that has lost its import to another cannot affect it', async () => {
    const { id } = await world.importing(DATA);
    const other = newDataId();
    world.store.beforePut = async () => {
      // Another worker considers this one dead, and writes a new object.
      await world.ctx.manager.query('UPDATE images SET data_id = $2 WHERE id = $1', [id, other]);
    };
    const { stagedDataId } = await world.row(id);
    expect(await world.run(id)).toBe('superseded');
    expect(await world.row(id)).toMatchObject({ state: 'importing', dataId: other });
    expect([...world.store.ids]).toEqual([stagedDataId]);
  });

  it('that stops aborts its download, and the next one restarts it', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-length': 10 }).write('half');
    const { id } = await world.downloading(web.url('/'));
    const stopping = new AbortController();
    const options = { logger, stopping: stopping.signal };
    const run = runReconciler(world.reconciler, world.ctx, id, 0, options);
    await eventually('the download runs', async () => (await world.row(id)).announcedSize === 10);
    stopping.abort();
    expect(await run).toBe('retried');
    expect(await world.row(id)).toMatchObject({ state: 'importing', stagedSize: null });
    answer = (_, response) => response.end(DATA);
    expect(await world.run(id)).toBe('done');
  });

  it('that never returns lets its import end past the deadline', async () => {
    const { id } = await world.importing(DATA, { stateDeadline: new Date(Date.now() - 41_000) });
    await world.sweep(reconcilerSweep([world.reconciler], logger));
    const image = await world.row(id);
    expect(image).toMatchObject({ state: 'queued', stagedDataId: null, stagedSize: null });
    expect(await world.task(id)).toMatchObject({ status: 'failure', message: image.stateReason });
  });
});

it('an import past its deadline leaves nothing', async () => {
  const { id } = await world.importing(DATA, { stateDeadline: new Date(Date.now() - 1) });
  await world.run(id);
  await expectFailed(id, 'did not finish in time, at ensureDownloaded');
});
