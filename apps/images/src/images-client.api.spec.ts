/** The client of sister services against the real service. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asCaller, asService } from '@cumulet/clients/http/actor';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { ImagesClient, type NewImage } from '@cumulet/clients/images/images-client';
import type { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import { RequestContext } from '@cumulet/common/context/request-context';
import { UnavailableError } from '@cumulet/common/errors/domain-error';
import { newRequestId } from '@cumulet/common/context/request-id';
import { eventually } from '@cumulet/testing/settle';
import { TestImages } from './images.fixture.js';

let images: TestImages;
let client: ImagesClient;
let ctx: RequestContext;

beforeAll(async () => {
  images = await TestImages.start();
  client = clientOf(images.client.baseUrl);
  ctx = callerWith(images.member);
});
afterAll(async () => {
  await client.close();
  await images.stop();
});

function clientOf(imagesUrl: string): ImagesClient {
  const tokens = { token: () => Promise.resolve(images.service) } as ServiceTokenSource;
  return new ImagesClient({ imagesUrl, credentials: new ActorCredentials(tokens) });
}

function callerWith(token: string): RequestContext {
  const { manager } = images.app.dataSource;
  return new RequestContext({ ...RequestContext.system(newRequestId(), manager).fields, token });
}

describe('ImagesClient', () => {
  it('reads what compute needs to know', async () => {
    const kernel = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
    const image = await images.createActive('data', { min_disk: 3, kernel_id: kernel });
    expect(await client.find(asCaller(ctx), image.id)).toMatchObject({
      id: image.id,
      status: 'active',
      diskFormat: 'raw',
      sizeBytes: 4,
      sha512: image['os_hash_value'],
      minDiskGb: 3,
      kernelId: kernel,
      ramdiskId: undefined,
    });
  });

  it('finds images by name, newest first', async () => {
    const ids: string[] = [];
    for (const name of ['nodes', 'nodes', 'other'])
      ids.unshift((await images.createActive('data', { name })).id);
    const found = await client.named(asCaller(ctx), 'nodes');
    expect(found.map(({ id }) => id)).toEqual(ids.slice(1));
  });

  it('finds nothing that the caller may not see', async () => {
    const { id } = await images.create({ visibility: 'private' });
    expect(await client.find(asCaller(callerWith(images.stranger)), id)).toBeUndefined();
    expect(await client.find(asCaller(ctx), 'no/such?image')).toBeUndefined();
  });

  it('downloads any image as the service', async () => {
    const data = randomBytes(2_000_000);
    const { id } = await images.createActive(data, { visibility: 'private' });
    const stream = await client.download(asService(ctx), id);
    expect(Buffer.concat((await stream.toArray()) as Buffer[]).equals(data)).toBe(true);
  });

  it('reports a retryable error when nobody answers', async () => {
    const nobody = clientOf('http://127.0.0.1:1');
    await expect(nobody.find(asCaller(ctx), 'any')).rejects.toThrow(UnavailableError);
    await expect(nobody.download(asService(ctx), 'any')).rejects.toThrow(UnavailableError);
    await nobody.close();
  });

  const newImage = (properties: Record<string, string> = {}): NewImage => ({
    id: randomUUID(),
    name: 'snapshot',
    owner: images.project,
    visibility: 'private',
    diskFormat: 'raw',
    containerFormat: 'bare',
    minDiskGb: 2,
    minMemoryMb: 64,
    properties,
  });

  it("creates, uploads and deletes a project's images as the service", async () => {
    const image = newImage({ os_distro: 'debian' });
    await client.create(asService(ctx), image);
    await client.create(asService(ctx), image);
    const bytes = randomBytes(1_000_000);
    const data = { sizeBytes: bytes.length, data: Readable.from([bytes]) };
    await client.upload(asService(ctx), image.id, data, new AbortController().signal);
    expect(await client.find(asCaller(ctx), image.id)).toMatchObject({
      status: 'active',
      sizeBytes: bytes.length,
      minDiskGb: 2,
      properties: { os_distro: 'debian' },
    });
    await client.delete(asService(ctx), image.id);
    await client.delete(asService(ctx), image.id);
    expect(await client.find(asService(ctx), image.id)).toBeUndefined();
  });

  it("finds a project's images by properties, newest first", async () => {
    const properties = { instance_uuid: randomUUID(), image_type: 'backup' };
    const ids: string[] = [];
    for (const others of [properties, properties, { image_type: 'backup' }]) {
      const image = newImage(others);
      await client.create(asService(ctx), image);
      const data = { sizeBytes: 1, data: Readable.from([Buffer.from('x')]) };
      await client.upload(asService(ctx), image.id, data, new AbortController().signal);
      ids.unshift(image.id);
    }
    const found = await client.withProperties(asService(ctx), images.project, properties);
    expect(found).toEqual(ids.slice(1));
  });

  it('leaves an image without data if the upload is aborted', async () => {
    const image = newImage();
    await client.create(asService(ctx), image);
    const ended = new AbortController();
    const parts = (async function* (): AsyncGenerator<Buffer> {
      yield Buffer.alloc(1024);
      ended.abort();
      await new Promise(() => undefined);
    })();
    const data = { sizeBytes: 4096, data: Readable.from(parts) };
    await expect(client.upload(asService(ctx), image.id, data, ended.signal)).rejects.toThrow(
      UnavailableError,
    );
    await eventually('the image is queued again', async () => {
      return (await client.find(asService(ctx), image.id))?.status === 'queued';
    });
  });
});
