import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asId, type ProjectId } from '@cumulet/common/context/ids';
import { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { newDataId } from '@cumulet/storage/stores/byte-store';
import { newId } from '@cumulet/testing/test-tokens';
import { TestImages } from '../images.fixture.js';
import { ImageQuotas } from '../images/image-quotas.js';
import { insertImage } from '../images/image-row.fixture.js';

const MIB = 1024 * 1024;

let images: TestImages;
let ctx: RequestContext;

beforeAll(async () => {
  images = await TestImages.start({
    role: 'api',
    imageQuota: 10,
    imageBytesQuota: 100 * MIB,
    imageStagingQuota: 50 * MIB,
    imageUploadQuota: 2,
  });
  ctx = RequestContext.system('req-test', images.app.dataSource.manager);
});
afterAll(() => images.stop());

async function usage(projectId: string): Promise<unknown> {
  const token = await images.tokens.issue(['reader'], { projectId });
  const { body } = await images.client.get('/v2/info/usage', { token });
  return (body as { usage: unknown }).usage;
}

function newOwner(): ProjectId {
  return asId<ProjectId>(newId());
}

describe('GET /v2/info/usage', () => {
  it('shows the limits of an empty project', async () => {
    expect(await usage(newId())).toEqual({
      image_size_total: { limit: 100, usage: 0 },
      image_stage_total: { limit: 50, usage: 0 },
      image_count_total: { limit: 10, usage: 0 },
      image_count_uploading: { limit: 2, usage: 0 },
    });
  });

  it('shows no limit as -1', async () => {
    const unlimited = await TestImages.start({ imageStagingQuota: -1, imageQuota: -1 });
    const { body } = await unlimited.client.get('/v2/info/usage', { token: unlimited.reader });
    expect(body).toMatchObject({
      usage: { image_stage_total: { limit: -1 }, image_count_total: { limit: -1 } },
    });
    await unlimited.stop();
  });

  it('limits staged bytes like bytes by default', async () => {
    const silent = await TestImages.start({ role: 'api', imageBytesQuota: 7 * MIB });
    const { body } = await silent.client.get('/v2/info/usage', { token: silent.reader });
    expect(body).toMatchObject({
      usage: { image_size_total: { limit: 7 }, image_stage_total: { limit: 7 } },
    });
    await silent.stop();
  });

  it('counts images, and whole mebibytes', async () => {
    const owner = newOwner();
    await insertImage(ctx, { owner, state: 'active', size: 3 * MIB });
    await insertImage(ctx, { owner, state: 'deactivated', size: 2 * MIB + 5 });
    await insertImage(ctx, { owner });
    await insertImage(ctx, { state: 'active', size: 7 * MIB });
    expect(await usage(owner)).toMatchObject({
      image_count_total: { usage: 3 },
      image_size_total: { usage: 5 },
      image_stage_total: { usage: 0 },
      image_count_uploading: { usage: 0 },
    });
  });

  it('counts announced bytes, as data or as staged data', async () => {
    const owner = newOwner();
    await insertImage(ctx, { owner, state: 'saving', announcedSize: 4 * MIB });
    await insertImage(ctx, { owner, state: 'staging', announcedSize: 6 * MIB });
    expect(await usage(owner)).toMatchObject({
      image_size_total: { usage: 4 },
      image_stage_total: { usage: 6 },
      image_count_uploading: { usage: 2 },
    });
  });

  it('counts staged data until its import ends', async () => {
    const owner = newOwner();
    await insertImage(ctx, { owner, state: 'staged', stagedSize: 3 * MIB });
    await insertImage(ctx, {
      owner,
      state: 'importing',
      stagedSize: 4 * MIB,
      announcedSize: 5 * MIB,
    });
    await insertImage(ctx, {
      owner,
      state: 'importing',
      stagedDataId: null,
      stagedSize: null,
    });
    expect(await usage(owner)).toMatchObject({
      image_size_total: { usage: 5 },
      image_stage_total: { usage: 7 },
      image_count_uploading: { usage: 2 },
    });
  });

  it('does not count images being deleted', async () => {
    const owner = newOwner();
    await insertImage(ctx, { owner, state: 'pending_delete', size: 3 * MIB, dataId: newDataId() });
    expect(await usage(owner)).toMatchObject({
      image_count_total: { usage: 0 },
      image_size_total: { usage: 0 },
    });
  });
});

describe('ImageQuotas', () => {
  let quotas: ImageQuotas;
  beforeAll(() => {
    quotas = images.app.nest.get(ImageQuotas);
  });

  it('admits as many concurrent uploads as a project may have', async () => {
    const owner = newOwner();
    await insertImage(ctx, { owner, state: 'saving' });
    const claim = (): Promise<void> =>
      inTransaction(ctx, (tx) => quotas.claim(tx, { image_count_uploading: 1 }, owner));
    await expect(claim()).resolves.toBeUndefined();
    await insertImage(ctx, { owner, state: 'importing' });
    await expect(claim()).rejects.toMatchObject({ kind: 'quota-exhausted' });
  });

  it('does not let two uploads take the last place or the last staged bytes', async () => {
    const owner = newOwner();
    const claims: ((tx: RequestContext) => Promise<void>)[] = [
      async (tx) => {
        await quotas.claim(tx, { image_count_uploading: 1 }, owner);
        await insertImage(tx, { owner, state: 'saving' });
      },
      async (tx) => {
        await quotas.claim(tx, { image_stage_total: 20 * MIB }, owner);
        await insertImage(tx, { owner, state: 'staged', stagedSize: 20 * MIB });
      },
    ];
    for (const claim of claims) {
      const answers = await Promise.allSettled(
        Array.from({ length: 5 }, () => inTransaction(ctx, claim)),
      );
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    }
    expect(await usage(owner)).toMatchObject({
      image_count_uploading: { usage: 2 },
      image_stage_total: { usage: 40 },
    });
  });

  it('answers 413 to one upload too many', async () => {
    const owner = newOwner();
    const token = await images.tokens.issue(['member'], { projectId: owner });
    for (let at = 0; at < 2; at += 1) await insertImage(ctx, { owner, state: 'saving' });
    const { id } = await images.create({}, token);
    const response = await images.upload(id, 'bytes', token);
    expect(response.status).toBe(413);
    expect(response.text).toContain('Quota exhausted for image_count_uploading');
  });

  it('admits staged bytes within the quota', async () => {
    const owner = newOwner();
    await insertImage(ctx, { owner, state: 'staged', stagedSize: 40 * MIB });
    const claim = (bytes: number): Promise<void> =>
      inTransaction(ctx, (tx) => quotas.claim(tx, { image_stage_total: bytes }, owner));
    await expect(claim(10 * MIB)).resolves.toBeUndefined();
    await expect(claim(10 * MIB + 1)).rejects.toMatchObject({ kind: 'quota-exceeded' });
    await insertImage(ctx, { owner, state: 'staged', stagedSize: 10 * MIB });
    await expect(claim(1)).rejects.toMatchObject({ kind: 'quota-exhausted' });
  });

  it('admits staged data of unknown size up to the rest of the quota', async () => {
    const owner = newOwner();
    await insertImage(ctx, { owner, state: 'staged', stagedSize: 40 * MIB });
    const allowance = await inTransaction(ctx, (tx) =>
      quotas.admit(tx, owner, undefined, 'image_stage_total'),
    );
    expect(allowance.bytes).toBe(10 * MIB);
    expect(allowance.exceeded()).toMatchObject({ kind: 'quota-exceeded' });
  });
});
