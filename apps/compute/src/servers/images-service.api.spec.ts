/** Servers, and as whom compute asks the images service for what they boot from. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  ServiceRefusedError,
  ServiceUnavailableError,
} from '@cumulet/clients/http/service-client-errors';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

let compute: ComputeFixture;
let imageRef: string;

beforeAll(async () => {
  compute = await startCompute();
});
afterAll(() => compute.stop());
beforeEach(() => {
  imageRef = compute.images.add({}, bootable());
  compute.images.asked.length = 0;
});

/** Data that no host has cached. */
function bootable(): Buffer {
  const bytes = Buffer.alloc(512, randomUUID());
  bytes.writeUInt16LE(0xaa55, 510);
  return bytes;
}

it('looks at the image as its caller, and downloads it as itself', async () => {
  await compute.buildServer({ imageRef });
  expect(compute.images.asked).toEqual(['find as caller', 'download as service']);
});

it.each([400, 403, 409, 501])(
  'a refusal with %i ends a server at once, in its words',
  async (status) => {
    compute.images.failures.push(new ServiceRefusedError('images', status, 'It is not for you.'));
    const id = await compute.buildServer({ imageRef });
    expect(await compute.show(id)).toMatchObject({
      status: 'ERROR',
      fault: {
        message: `Image ${imageRef} cannot be downloaded. The images service refused with status ${status}: It is not for you.`,
      },
    });
    expect(compute.images.asked).toEqual(['find as caller', 'download as service']);
  },
);

it('an images service that is away keeps a server waiting, not failing', async () => {
  compute.images.failures.push(new ServiceUnavailableError('images', 'status 503'));
  const id = await compute.buildServer({ imageRef });
  expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  expect(compute.images.asked).toEqual([
    'find as caller',
    'download as service',
    'download as service',
  ]);
});
