/** The caller as whom compute asks the images service for a server's image. */
import { randomUUID } from 'node:crypto';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import {
  ServiceRefusedError,
  ServiceUnavailableError,
} from '@cumulet/clients/http/service-client-errors';
import { eventually } from '@cumulet/testing/settle';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import { LeftoverSnapshotsSweep } from '../server-plans/leftover-images.sweep.js';

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

it('a server waits for an images service that is down, and does not fail', async () => {
  compute.images.failures.push(new ServiceUnavailableError('images', 'status 503'));
  const id = await compute.buildServer({ imageRef });
  expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  expect(compute.images.asked).toEqual([
    'find as caller',
    'download as service',
    'download as service',
  ]);
});

describe('a server that is deleted while the images service does not remove its image', () => {
  afterEach(() => {
    compute.images.isAway = false;
  });

  const act = async (id: string, body: object): Promise<void> => {
    const { status } = await compute.act(id, body);
    expect(status).toBe(202);
  };

  /** The image that was made of the server. */
  const imageOf = (id: string): string => {
    const found = [...compute.images.made.values()].find(
      ({ properties }) => properties['instance_uuid'] === id,
    );
    if (!found) throw new Error(`no image was made of ${id}`);
    return found.id;
  };

  const deleted = async (id: string): Promise<void> => {
    const { token } = compute;
    expect((await compute.client.delete(`/servers/${id}`, { token })).status).toBe(204);
    await eventually('the server is gone', async () => {
      const { status } = await compute.client.get(`/servers/${id}`, { token });
      return status === 404;
    });
  };

  /** Runs the sweep for all; the service's own sweep may have run at the same time. */
  const swept = async (): Promise<void> => {
    await compute.app.dataSource.query('UPDATE left_images SET tried_at = NULL');
    const sweep = compute.app.nest.get(LeftoverSnapshotsSweep);
    await sweep.run(compute.ctx).catch((error: unknown) => {
      if (!(error instanceof AggregateError)) throw error;
    });
  };

  const isLeft = async (count: number): Promise<void> => {
    await eventually(`${count} images are left`, async () => {
      await swept();
      const rows: unknown[] = await compute.app.dataSource.query('SELECT FROM left_images');
      return rows.length === count;
    });
  };

  it('is deleted during a snapshot; its image once the service is back', async () => {
    const id = await compute.buildServer({ imageRef });
    const hold = compute.hypervisor.hold('copyDisk');
    await act(id, { createImage: { name: 'copy' } });
    await hold.reached;
    compute.images.isAway = true;
    const deletion = deleted(id);
    hold.release();
    await deletion;
    expect(compute.images.statusOf(imageOf(id))).toBe('queued');
    await isLeft(1);
    compute.images.isAway = false;
    await isLeft(0);
    expect(compute.images.statusOf(imageOf(id))).toBeUndefined();
  });

  it('is deleted while shelved; its image once the service is back', async () => {
    const id = await compute.buildServer({ imageRef });
    await act(id, { shelve: null });
    await compute.settle();
    compute.images.isAway = true;
    await deleted(id);
    expect(compute.images.statusOf(imageOf(id))).toBe('active');
    compute.images.isAway = false;
    await isLeft(0);
    expect(compute.images.statusOf(imageOf(id))).toBeUndefined();
  });

  it('is deleted if the service refuses; no other image waits for that one', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 2; at++) {
      const id = await compute.buildServer({ imageRef });
      await act(id, { shelve: null });
      ids.push(id);
    }
    await compute.settle();
    compute.images.isAway = true;
    for (const id of ids) await deleted(id);
    const [kept, other] = ids.map(imageOf);
    const remove = compute.images.delete.bind(compute.images);
    const protect = jest.spyOn(compute.images, 'delete').mockImplementation((actor, image) => {
      if (image !== kept) return remove(actor, image);
      return Promise.reject(new ServiceRefusedError('images', 403, 'It is protected.'));
    });
    compute.images.isAway = false;
    await isLeft(1);
    const statuses = [kept, other].map((image = '') => compute.images.statusOf(image));
    expect(statuses).toEqual(['active', undefined]);
    protect.mockRestore();
    await isLeft(0);
    expect(compute.images.statusOf(kept ?? '')).toBeUndefined();
  });

  it('leaves no image if a snapshot fails meanwhile, and continues as it was', async () => {
    const id = await compute.buildServer({ imageRef });
    const hold = compute.hypervisor.hold('copyDisk');
    compute.hypervisor.failNext('copyDisk', new HypervisorError('capacity', 'No room.'));
    await act(id, { createImage: { name: 'copy' } });
    await hold.reached;
    compute.images.isAway = true;
    hold.release();
    await compute.settle();
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    compute.images.isAway = false;
    await isLeft(0);
    expect(compute.images.statusOf(imageOf(id))).toBeUndefined();
  });
});
