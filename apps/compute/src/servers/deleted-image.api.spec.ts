/** Servers whose image is deleted live on; new ones cannot use it. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { imageName } from '../hypervisor/boot-image.js';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

let compute: ComputeFixture;
let imageId: string;

beforeAll(async () => {
  compute = await startCompute();
});
afterAll(() => compute.stop());
beforeEach(() => {
  imageId = compute.images.add({});
});

it.each<[string, object[]]>([
  ['stopped and started', [{ 'os-stop': null }, { 'os-start': null }]],
  ['rebooted softly', [{ reboot: { type: 'SOFT' } }]],
  ['rebooted hard', [{ reboot: { type: 'HARD' } }]],
])('a server that runs is not harmed, and can be %s', async (_, actions) => {
  const id = await compute.buildServer({ imageRef: imageId });
  compute.images.remove(imageId);
  expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE', image: { id: imageId } });
  for (const body of actions) {
    const path = `/servers/${id}/action`;
    expect((await compute.client.post(path, { token: compute.token, body })).status).toBe(202);
    await compute.settle();
  }
  expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE', image: { id: imageId } });
  expect(await compute.hypervisor.machines.state(id)).toBe('running');
  expect(compute.hypervisor.world.guest(id).starts).toBe(2);
});

it('no other server is created from it', async () => {
  await compute.buildServer({ imageRef: imageId });
  compute.images.remove(imageId);
  const response = await compute.createServer({ imageRef: imageId });
  expect([response.status, response.body]).toEqual([
    400,
    {
      badRequest: { code: 400, message: `Image ${imageId} cannot be used: it does not exist.` },
    },
  ]);
});

/** The image under a server's disk. */
function baseOf(id: string): { sha512: string; bytes: number | undefined } {
  const { world } = compute.hypervisor;
  const { disk } = world.guest(id);
  if (!disk) throw new Error(`server ${id} has no disk`);
  const bytes = world.images.get(imageName(disk.image))?.virtualSizeBytes;
  return { sha512: disk.image.sha512, bytes };
}

it('no server is created from its data once another image has its id', async () => {
  const earlier = await compute.buildServer({ imageRef: imageId });
  compute.images.remove(imageId);
  const bytes = Buffer.alloc(1024, 'another project');
  bytes.writeUInt16LE(0xaa55, 510);
  compute.images.add({ id: imageId }, bytes);
  const later = await compute.buildServer({ imageRef: imageId });
  const sha512 = createHash('sha512').update(bytes).digest('hex');
  expect(baseOf(later)).toEqual({ sha512, bytes: 1024 });

  const body = { reboot: { type: 'HARD' } };
  await compute.client.post(`/servers/${earlier}/action`, { token: compute.token, body });
  await compute.settle();
  expect(await compute.show(earlier)).toMatchObject({ status: 'ACTIVE' });
  expect(baseOf(earlier)).toMatchObject({ bytes: 512 });
});

it('a server that does not have it yet fails at once, and says why', async () => {
  const hold = compute.hypervisor.hold('hasBaseImage');
  const { body } = await compute.createServer({ imageRef: imageId });
  const { id } = (body as { server: { id: string } }).server;
  await hold.reached;
  compute.images.remove(imageId);
  hold.release();
  await compute.settle();
  expect(await compute.show(id)).toMatchObject({
    status: 'ERROR',
    fault: {
      message: `Image ${imageId} cannot be downloaded. The images service refused with status 404: No image found with ID ${imageId}.`,
    },
  });
});
