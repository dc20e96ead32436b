/** The columns of rows in each state, and their transitions. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RequestContext } from '@cumulet/common/context/request-context';
import { RowChangedError, transition, WrongStateError } from '@cumulet/common/states/transition';
import { newDataId } from '@cumulet/storage/stores/byte-store';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import type { DataSource } from 'typeorm';
import { imagesService } from '../service.js';
import { insertImage } from './image-row.fixture.js';
import type { Image, ImageId } from './image.entity.js';
import { ImageRepository } from './image.repository.js';
import { imageStates } from './image.states.js';

const DATA = { size: 4, checksum: 'md5', hashValue: 'sha512', virtualSize: 8 };
const NO_DATA = {
  dataId: null,
  stagedDataId: null,
  stagedSize: null,
  uploadOwner: null,
  announcedSize: null,
};

const images = new ImageRepository();

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

const KINDS = [
  { kind: 'data', column: 'dataId', begin: 'upload', progress: 'progress' },
  { kind: 'staged data', column: 'stagedDataId', begin: 'stage', progress: 'stageProgress' },
] as const;

type Kind = (typeof KINDS)[number];

async function anUpload({ column, begin }: Kind = KINDS[0]): Promise<Image> {
  const { id } = await insertImage(ctx);
  const set = { [column]: newDataId(), uploadOwner: 'upload:one', announcedSize: 4 };
  await transition(ctx, imageStates, id, begin, { set });
  return row(id);
}

async function row(id: ImageId): Promise<Image> {
  const image = await images.find(ctx, id);
  if (!image) throw new Error(`image ${id} is gone`);
  return image;
}

describe('an upload', () => {
  it.each(KINDS)('has an object and a deadline: $kind', async (kind) => {
    const image = await anUpload(kind);
    expect(image[kind.column]).not.toBeNull();
    expect(image).toMatchObject({ uploadOwner: 'upload:one', announcedSize: 4 });
    expect(image.stateDeadline?.getTime()).toBeGreaterThan(Date.now() + 60_000);
  });

  it('begins once', async () => {
    const { id, dataId } = await anUpload();
    const set = { dataId: newDataId(), uploadOwner: 'upload:other' };
    await expect(transition(ctx, imageStates, id, 'upload', { set })).rejects.toThrow(
      WrongStateError,
    );
    expect(await row(id)).toMatchObject({ dataId, uploadOwner: 'upload:one' });
  });

  it('is completed by one statement', async () => {
    const { id, dataId } = await anUpload();
    await transition(ctx, imageStates, id, 'complete', { only: { dataId }, set: DATA });
    const settled = { uploadOwner: null, announcedSize: null, stateDeadline: null };
    expect(await row(id)).toMatchObject({ state: 'active', dataId, ...DATA, ...settled });
  });

  it('of staged data is completed likewise, with a deadline for its import', async () => {
    const { id, stagedDataId } = await anUpload(KINDS[1]);
    const options = { only: { stagedDataId }, set: { stagedSize: 4 } };
    await transition(ctx, imageStates, id, 'staged', options);
    const image = await row(id);
    expect(image).toMatchObject({ state: 'staged', stagedDataId, stagedSize: 4, size: null });
    expect(image).toMatchObject({ uploadOwner: null, announcedSize: null });
    expect(Number(image.stateDeadline)).toBeGreaterThan(Date.now() + 3_600_000);
  });

  it.each(KINDS)('extends its deadline: $kind', async ({ progress, ...kind }) => {
    const { id } = await anUpload({ progress, ...kind } as Kind);
    await dataSource.query(
      `UPDATE images SET state_deadline = now() - interval '1 second' WHERE id = $1`,
      [id],
    );
    await transition(ctx, imageStates, id, progress);
    expect((await row(id)).stateDeadline?.getTime()).toBeGreaterThan(Date.now());
  });

  it.each(KINDS)('leaves nothing when aborted, except the reason: $kind', async (kind) => {
    const { id } = await anUpload(kind);
    const reason = 'The cable was pulled.';
    await transition(ctx, imageStates, id, 'abort', { reason });
    expect(await row(id)).toMatchObject({ state: 'queued', stateReason: reason, ...NO_DATA });
  });

  it('of staged data does not activate the image', async () => {
    const [staging, saving] = [await anUpload(KINDS[1]), await anUpload()];
    const complete = transition(ctx, imageStates, staging.id, 'complete', { set: DATA });
    await expect(complete).rejects.toThrow(WrongStateError);
    const staged = transition(ctx, imageStates, saving.id, 'staged', { set: { stagedSize: 4 } });
    await expect(staged).rejects.toThrow(WrongStateError);
  });

  it.each(['progress', 'complete', 'abort'] as const)(
    'that was superseded cannot affect its successor: %s',
    async (event) => {
      const { id, dataId: lost } = await anUpload();
      await transition(ctx, imageStates, id, 'abort');
      const successor = { dataId: newDataId(), uploadOwner: 'upload:other' };
      await transition(ctx, imageStates, id, 'upload', { set: successor });
      const set = event === 'complete' ? DATA : {};
      await expect(
        transition(ctx, imageStates, id, event, { only: { dataId: lost }, set }),
      ).rejects.toThrow(RowChangedError);
      expect(await row(id)).toMatchObject({ state: 'saving', ...successor });
    },
  );
});
