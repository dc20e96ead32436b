import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { Liveness } from '@cumulet/common/jobs/liveness';
import { createLogger } from '@cumulet/common/observe/logger';
import { transition, WrongStateError } from '@cumulet/common/states/transition';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { DataSource } from 'typeorm';
import { newImageOf } from '../images/image.dto.js';
import type { Image, ImageId } from '../images/image.entity.js';
import { UploadLostError } from '../images/image.errors.js';
import { ImageRepository } from '../images/image.repository.js';
import { imageStates } from '../images/image.states.js';
import { newImage } from '../images/new-image.js';
import type { DeclaredFormats } from '../inspection/judge-image.js';
import { imagesService } from '../service.js';
import { newDataId } from '../store/data-id.js';
import { MemoryStore } from '../store/memory-store.js';
import { OrphanedData } from './orphaned-data.js';
import { OrphanedDataSweep } from './orphaned-data.sweep.js';
import { StalledUploadsSweep } from './stalled-uploads.sweep.js';
import { UploadRepository, type NewUpload } from './upload.repository.js';
import { Readable } from 'node:stream';

const DATA = { size: 4, md5: 'md5', sha512: 'sha512', virtualSize: 8 };

const images = new ImageRepository();
const uploads = new UploadRepository();
const logger = createLogger('test', 'silent');

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

const KINDS = ['data', 'staged data'] as const;

async function anImage(): Promise<Image> {
  const image = newImage(newImageOf({ name: 'one' }), asId('project'));
  await images.insert(ctx, image);
  return image;
}

async function anUpload(fields: Partial<NewUpload> = {}): Promise<NewUpload> {
  const { id: imageId } = await anImage();
  const owner = `upload:${randomUUID()}`;
  const data = { kind: 'data', dataId: newDataId(), announcedSize: 4 } as const;
  const upload: NewUpload = { ...data, imageId, owner, ...fields };
  await begin(upload);
  return upload;
}

function begin(upload: NewUpload): Promise<DeclaredFormats> {
  return inTransaction(ctx, (tx) => uploads.begin(tx, upload));
}

async function row(id: ImageId): Promise<Image> {
  const image = await images.find(ctx, id);
  if (!image) throw new Error(`image ${id} is gone`);
  return image;
}

describe('UploadRepository', () => {
  it('begins an upload in the state saving, with a deadline', async () => {
    const { imageId, dataId, owner } = await anUpload();
    const image = await row(imageId);
    expect(image).toMatchObject({ state: 'saving', dataId, uploadOwner: owner, announcedSize: 4 });
    expect(image.stateDeadline?.getTime()).toBeGreaterThan(Date.now() + 60_000);
  });

  it('begins to stage data likewise, and lets it wait', async () => {
    const upload = await anUpload({ kind: 'staged data' });
    const { imageId, dataId: stagedDataId } = upload;
    expect(await row(imageId)).toMatchObject({ state: 'staging', stagedDataId, dataId: null });
    await uploads.staged(ctx, upload, 4);
    expect(await row(imageId)).toMatchObject({
      state: 'staged',
      stagedDataId,
      stagedSize: 4,
      size: null,
      uploadOwner: null,
      announcedSize: null,
      stateDeadline: null,
    });
  });

  it('tells with the beginning what the data is meant to be', async () => {
    const { id: imageId } = await anImage();
    const owner = `upload:${randomUUID()}`;
    const data = { kind: 'data', dataId: newDataId(), announcedSize: 4 } as const;
    expect(await begin({ ...data, imageId, owner })).toEqual({
      diskFormat: null,
      containerFormat: null,
    });
  });

  it('begins no second upload, and leaves the first as it is', async () => {
    const first = await anUpload();
    const second = { ...first, dataId: newDataId(), owner: 'other' };
    await expect(begin(second)).rejects.toThrow(WrongStateError);
    expect(await row(first.imageId)).toMatchObject({ dataId: first.dataId });
  });

  it('completes an upload', async () => {
    const upload = await anUpload();
    await uploads.complete(ctx, upload, DATA);
    expect(await row(upload.imageId)).toMatchObject({
      state: 'active',
      dataId: upload.dataId,
      size: 4,
      virtualSize: 8,
      checksum: 'md5',
      hashValue: 'sha512',
      uploadOwner: null,
      announcedSize: null,
      stateDeadline: null,
    });
  });

  it.each(KINDS)('moves the deadline on with progress: %s', async (kind) => {
    const upload = await anUpload({ kind });
    await expire(upload);
    await uploads.progress(ctx, upload);
    expect((await row(upload.imageId)).stateDeadline?.getTime()).toBeGreaterThan(Date.now());
  });

  it.each(KINDS)('queues the image again with abort, and says why: %s', async (kind) => {
    const upload = await anUpload({ kind });
    await uploads.abort(ctx, upload, 'The cable was pulled.');
    expect(await row(upload.imageId)).toMatchObject({
      state: 'queued',
      stateReason: 'The cable was pulled.',
      dataId: null,
      stagedDataId: null,
      uploadOwner: null,
      announcedSize: null,
    });
  });

  it('takes staged data for no data', async () => {
    const upload = await anUpload({ kind: 'staged data' });
    await expect(uploads.complete(ctx, upload, DATA)).rejects.toThrow(WrongStateError);
    await expect(uploads.staged(ctx, await anUpload(), 4)).rejects.toThrow(WrongStateError);
  });

  it.each(['progress', 'complete', 'abort'] as const)(
    'gives an upload that was taken over no part in its successor: %s',
    async (step) => {
      const lost = await anUpload();
      await uploads.abort(ctx, lost, 'taken over');
      const successor = { ...lost, dataId: newDataId() };
      await begin(successor);
      const steps = {
        progress: () => uploads.progress(ctx, lost),
        complete: () => uploads.complete(ctx, lost, DATA),
        abort: () => uploads.abort(ctx, lost, 'again'),
      };
      await expect(steps[step]()).rejects.toThrow(UploadLostError);
      expect(await row(lost.imageId)).toMatchObject({ state: 'saving', dataId: successor.dataId });
    },
  );
});

async function expire({ imageId }: NewUpload): Promise<void> {
  await dataSource.query(
    `UPDATE images SET state_deadline = now() - interval '1 second' WHERE id = $1`,
    [imageId],
  );
}

describe('the sweep of stalled uploads', () => {
  async function swept(looks: number): Promise<MemoryStore> {
    const store = new MemoryStore();
    const orphans = new OrphanedData(images, store, logger);
    const sweep = new StalledUploadsSweep(uploads, orphans, logger);
    for (let look = 0; look < looks; look += 1) await sweep.run(ctx);
    return store;
  }

  it.each([
    { kind: 'data', state: 'saving' },
    { kind: 'staged data', state: 'staging' },
  ] as const)(
    'takes back the upload of $kind of a process that is silent at two looks',
    async ({ kind, state }) => {
      const upload = await anUpload({ kind });
      await swept(1);
      expect((await row(upload.imageId)).state).toBe(state);
      await swept(2);
      expect(await row(upload.imageId)).toMatchObject({
        state: 'queued',
        dataId: null,
        stagedDataId: null,
      });
    },
  );

  it('leaves the upload of a living process alone', async () => {
    const upload = await anUpload();
    const liveness = new Liveness(database.url, () => undefined);
    await liveness.hold(upload.owner);
    await swept(3);
    expect((await row(upload.imageId)).state).toBe('saving');
    await liveness.stop();
  });

  it('takes back an upload past its deadline, even of a living process', async () => {
    const upload = await anUpload();
    const liveness = new Liveness(database.url, () => undefined);
    await liveness.hold(upload.owner);
    await expire(upload);
    await swept(1);
    expect((await row(upload.imageId)).state).toBe('queued');
    await liveness.stop();
  });

  it.each(KINDS)('leaves no bytes: %s', async (kind) => {
    const upload = await anUpload({ kind });
    const store = new MemoryStore();
    await store.put(upload.dataId, Readable.from(['half'], { objectMode: false }));
    const orphans = new OrphanedData(images, store, logger);
    const sweep = new StalledUploadsSweep(uploads, orphans, logger);
    await sweep.run(ctx);
    await sweep.run(ctx);
    expect(await listed(store)).toEqual([]);
  });
});

describe('the sweep of orphaned data', () => {
  it('removes what no image knows, and nothing else', async () => {
    const store = new MemoryStore();
    const running = await anUpload();
    const active = await anUpload();
    await uploads.complete(ctx, active, DATA);
    const orphan = newDataId();
    for (const id of [running.dataId, active.dataId, orphan]) {
      await store.put(id, Readable.from(['data'], { objectMode: false }));
    }
    const orphans = new OrphanedData(images, store, logger);
    await new OrphanedDataSweep(store, orphans, logger).run(ctx);
    expect((await listed(store)).sort()).toEqual([running.dataId, active.dataId].sort());
  });

  it('removes what is written for an image while that is deleted', async () => {
    const store = new MemoryStore();
    const { imageId, dataId } = await anUpload();
    await transition(ctx, imageStates, imageId, 'delete');
    await store.put(dataId, Readable.from(['data'], { objectMode: false }));
    const orphans = new OrphanedData(images, store, logger);
    expect(await orphans.remove(ctx, [dataId])).toBe(1);
    expect(await listed(store)).toEqual([]);
  });

  it('tries again what it could not remove', async () => {
    const store = new MemoryStore();
    await store.put(newDataId(), Readable.from(['data'], { objectMode: false }));
    store.failNextRemove = new Error('busy');
    const sweep = new OrphanedDataSweep(store, new OrphanedData(images, store, logger), logger);
    await sweep.run(ctx);
    expect(await listed(store)).toHaveLength(1);
    await sweep.run(ctx);
    expect(await listed(store)).toHaveLength(0);
  });
});

async function listed(store: MemoryStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of store.list()) ids.push(id);
  return ids;
}
