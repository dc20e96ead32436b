import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceUnavailableError } from '@cumulet/clients/http/service-client-errors';
import { RequestContext } from '@cumulet/common/context/request-context';
import { newId } from '@cumulet/testing/test-tokens';
import { errorOf, TestImages } from '../images.fixture.js';
import type { FakeLimits } from './limits.fixture.js';
import { UNIFIED_LIMITS } from '@cumulet/clients/identity/limits.sweep';
import { LimitsSweep } from './limits.sweep.js';

const MIB = 1024 * 1024;

let images: TestImages;
let identity: FakeLimits;

beforeAll(async () => {
  // Only `sweep` below reads the limits.
  images = await TestImages.start({ role: 'api', imageQuota: 3, imageBytesQuota: 10 * MIB });
  identity = images.app.nest.get<FakeLimits>(UNIFIED_LIMITS);
});
beforeEach(() => {
  identity.defaults = {};
  identity.byProject.clear();
  identity.error = undefined;
});
afterAll(() => images.stop());

const ctx = (): RequestContext => RequestContext.system('req-test', images.app.dataSource.manager);

const sweep = (): Promise<void> => images.app.nest.get(LimitsSweep).run(ctx());

async function newProject(): Promise<{ id: string; token: string }> {
  const id = newId();
  return { id, token: await images.tokens.issue(['member'], { projectId: id }) };
}

async function limits(token: string): Promise<Record<string, unknown>> {
  const { body } = await images.client.get('/v2/info/usage', { token });
  const { usage } = body as { usage: Record<string, { limit: number }> };
  return Object.fromEntries(Object.entries(usage).map(([name, { limit }]) => [name, limit]));
}

describe('the limits of images', () => {
  it('default to the settings, until identity has others', async () => {
    const { id, token } = await newProject();
    const { token: other } = await newProject();
    const settings = {
      image_size_total: 10,
      image_stage_total: 10,
      image_count_total: 3,
      image_count_uploading: 100,
    };
    expect(await limits(token)).toEqual(settings);
    identity.defaults = { image_count_total: 2, image_size_total: 7 };
    identity.byProject.set(id, { image_count_total: 1, image_stage_total: -1, volumes: 5 });
    await sweep();
    const registered = { ...settings, image_count_total: 2, image_size_total: 7 };
    expect(await limits(other)).toEqual(registered);
    expect(await limits(token)).toEqual({
      ...registered,
      image_count_total: 1,
      image_stage_total: -1,
    });
    identity.defaults = {};
    identity.byProject.clear();
    await sweep();
    expect([await limits(token), await limits(other)]).toEqual([settings, settings]);
  });

  it('apply to the next image', async () => {
    const { id, token } = await newProject();
    await images.create({}, token);
    identity.byProject.set(id, { image_count_total: 1 });
    await sweep();
    const refused = await images.client.post('/v2/images', { token, body: {} });
    expect(refused.status).toBe(413);
    expect(errorOf(refused).message).toBe(
      'Quota exhausted for image_count_total: all 1 are in use',
    );
    identity.byProject.set(id, { image_count_total: 2 });
    await sweep();
    await images.create({}, token);
  });

  it('do not let two requests take the last image', async () => {
    const { id, token } = await newProject();
    identity.byProject.set(id, { image_count_total: 5 });
    await sweep();
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => images.client.post('/v2/images', { token, body: {} })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  });

  it('count sizes in mebibytes', async () => {
    const { id, token } = await newProject();
    identity.byProject.set(id, { image_size_total: 1 });
    await sweep();
    const [fits, over] = [await images.create({}, token), await images.create({}, token)];
    expect((await images.upload(fits.id, Buffer.alloc(MIB), token)).status).toBe(204);
    expect((await images.upload(over.id, 'x', token)).status).toBe(413);
  });

  it('that are known apply while identity is away', async () => {
    const { id, token } = await newProject();
    identity.byProject.set(id, { image_count_total: 1 });
    await sweep();
    identity.error = new ServiceUnavailableError('identity', 'the test');
    identity.byProject.clear();
    await expect(sweep()).resolves.toBeUndefined();
    expect(await limits(token)).toMatchObject({ image_count_total: 1 });
    await images.create({}, token);
    expect((await images.client.post('/v2/images', { token, body: {} })).status).toBe(413);
  });
});
