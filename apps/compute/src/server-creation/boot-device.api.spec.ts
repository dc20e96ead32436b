/** Block devices that clients send for booting; only volumes are not supported. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../compute.fixture.js';

let compute: ComputeFixture;
const OTHER = '22222222-2222-4222-8222-222222222222';

beforeAll(async () => {
  compute = await startCompute();
});

afterAll(() => compute.stop());

/** The image's block device as `openstack server create --image` sends it. */
const device = (changes: object = {}): object => ({
  uuid: compute.images.bootable,
  boot_index: 0,
  source_type: 'image',
  destination_type: 'local',
  delete_on_termination: true,
  ...changes,
});

/** With `devices`, and with `imageRef` only if `server` has one. */
function create(server: object, version = '2.1'): Promise<TestResponse> {
  return compute.client.post('/servers', {
    token: compute.token,
    headers: { 'OpenStack-API-Version': `compute ${version}` },
    body: { server: { name: 'web', flavorRef: '1', ...networksOf(version), ...server } },
  });
}

const networksOf = (version: string): object =>
  Number(version.slice(2)) >= 37 ? { networks: 'none' } : {};

const booting = (devices: object[], version?: string): Promise<TestResponse> =>
  create({ imageRef: compute.images.bootable, block_device_mapping_v2: devices }, version);

async function built(response: TestResponse): Promise<Record<string, unknown>> {
  expect([response.status, response.text]).toEqual([202, expect.any(String)]);
  await compute.settle();
  const { id } = (response.body as { server: { id: string } }).server;
  const server = await compute.show(id);
  await compute.deleteServers();
  return server;
}

async function refused(response: TestResponse, message: string): Promise<void> {
  expect([response.status, response.body]).toEqual([400, { badRequest: { code: 400, message } }]);
  const rows: unknown[] = await compute.app.dataSource.query('SELECT FROM servers');
  expect(rows).toEqual([]);
}

describe('an image as a block device', () => {
  it.each([
    ['', { imageRef: '' }],
    ['left out', {}],
  ])("is the server's boot image if imageRef is %s", async (_, server) => {
    const response = await create({ ...server, block_device_mapping_v2: [device()] });
    const image = { id: compute.images.bootable };
    expect(await built(response)).toMatchObject({ status: 'ACTIVE', image });
  });

  it.each<[object]>([
    [{ device_type: 'disk', disk_bus: 'virtio' }],
    [{ volume_size: 1 }],
    [{ volume_size: '1', boot_index: '0' }],
    [{ device_name: '/dev/vda' }],
    [{ device_type: '', disk_bus: '', guest_format: '' }],
    [{ destination_type: undefined }],
    [{ volume_type: null }],
  ])('may describe the disk as it is anyway: %j', async (changes) => {
    expect(await built(await booting([device(changes)]))).toMatchObject({ status: 'ACTIVE' });
  });

  it.each(['2.32', '2.42', '2.90'])('may have a tag in %s, which its guest gets', async (at) => {
    const response = await booting([device({ tag: 'system' })], at);
    expect(response.status).toBe(202);
    await compute.settle();
    const { id } = (response.body as { server: { id: string } }).server;
    expect(compute.hypervisor.world.guest(id).startedWith?.diskTag).toBe('system');
    await compute.deleteServers();
  });
});

const NO_VOLUMES = 'there are no volumes, and a server boots from an image on its local disk';

describe('a server is refused', () => {
  it.each(['', undefined])('without an image: %j', async (imageRef) => {
    await refused(
      await create({ imageRef }),
      'Invalid input: server.imageRef must name the image to boot: booting from a volume is not offered.',
    );
  });

  it.each<[string, object, string]>([
    [
      'from a volume',
      { source_type: 'volume', destination_type: 'volume' },
      `source_type 'volume' is not offered: ${NO_VOLUMES}`,
    ],
    [
      'from a snapshot',
      { source_type: 'snapshot', destination_type: 'volume' },
      `source_type 'snapshot' is not offered: ${NO_VOLUMES}`,
    ],
    [
      'from a volume of the image',
      { destination_type: 'volume', volume_size: 1 },
      `destination_type 'volume' is not offered: ${NO_VOLUMES}`,
    ],
    [
      'with an image that does not boot',
      { boot_index: null },
      "boot_index 'null' is not offered: the image is the boot disk, 0",
    ],
    [
      'with a boot index that is left out',
      { boot_index: undefined },
      'boot_index is not offered: the image is the boot disk, 0',
    ],
    ['from a CD', { device_type: 'cdrom' }, "device_type 'cdrom' is not offered: it is a disk"],
    ['at another bus', { disk_bus: 'ide' }, "disk_bus 'ide' is not offered: the disk is at virtio"],
    [
      'with a larger disk',
      { volume_size: 2 },
      "volume_size '2' is not offered: the disk of the flavor 1 has 1 GB",
    ],
    [
      'with another name of the disk',
      { device_name: 'sdb' },
      "device_name 'sdb' is not offered: the disk is /dev/vda",
    ],
    [
      'with a format',
      { guest_format: 'ext4' },
      "guest_format 'ext4' is not offered: the image has its own",
    ],
    ['without the id of the image', { uuid: undefined }, 'uuid is required: it names the image'],
    [
      'with a tag before there were any',
      { tag: 'system' },
      'tag came with microversion 2.42; the request is for 2.1',
    ],
    [
      'with a type of volume',
      { volume_type: 'ssd' },
      'volume_type is not supported: volumes are not offered',
    ],
  ])('%s', async (_, changes, message) => {
    await refused(
      await booting([device(changes)]),
      `Invalid input: server.block_device_mapping_v2.0.${message}.`,
    );
  });

  it('with a tag in 2.33, which does not have them', async () => {
    const response = await booting([device({ tag: 'system' })], '2.33');
    expect(response.status).toBe(400);
  });

  it('with more of an ephemeral or a swap disk than its flavor has', async () => {
    const blank = { source_type: 'blank', destination_type: 'local', boot_index: -1 };
    await refused(
      await booting([device(), { ...blank, volume_size: 1 }]),
      'Ephemeral disks requested are larger than the instance type allows. If no size is given in one block device mapping, flavor ephemeral size will be used.',
    );
    await refused(
      await booting([device(), { ...blank, guest_format: 'swap', volume_size: 1 }]),
      'Swap drive requested is larger than instance type allows.',
    );
  });

  it('with a second disk', async () => {
    await refused(
      await booting([device(), device()]),
      'Invalid input: server.block_device_mapping_v2.1 is a second disk of an image: a server has one.',
    );
  });

  it('with another image than that of its block device', async () => {
    await refused(
      await booting([device({ uuid: OTHER })]),
      `Invalid input: server.block_device_mapping_v2 boots ${OTHER}, and server.imageRef is ${compute.images.bootable}.`,
    );
  });
});
