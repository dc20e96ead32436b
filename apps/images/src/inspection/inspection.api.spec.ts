import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  craftIso,
  craftQcow2,
  craftVmdk,
  vhdFooter,
} from '@cumulet/testing/disk-images/crafted-images';
import { errorOf, TestImages } from '../images.fixture.js';

const MIB = 1024 ** 2;

let images: TestImages;

beforeAll(async () => {
  images = await TestImages.start();
});
afterAll(() => images.stop());

function backedQcow2(): Buffer {
  const data = craftQcow2();
  data.writeBigUInt64BE(512n, 8);
  data.write('/etc/shadow', 512);
  return data;
}

describe('data that is uploaded', () => {
  it.each<[string, Buffer]>([
    ['qcow2', craftQcow2()],
    ['vmdk', craftVmdk()],
    ['vhd', Buffer.concat([Buffer.alloc(MIB), vhdFooter(2)])],
  ])('says as %s how large its disk is', async (disk_format, data) => {
    const image = await images.createActive(data, { disk_format });
    expect(image).toMatchObject({ status: 'active', size: data.length, virtual_size: MIB });
  });

  it.each<[string, string, Buffer, string]>([
    ['something else', 'raw', craftQcow2(), 'The data is qcow2, but disk_format is raw.'],
    ['nothing known', 'qcow2', Buffer.alloc(512), 'The data is raw, but disk_format is qcow2.'],
    ['nothing at all', 'qcow2', Buffer.alloc(0), 'The data is empty, but disk_format is qcow2.'],
    [
      'unsafe to open',
      'qcow2',
      backedQcow2(),
      'The image has a backing file; upload an image that is complete in itself.',
    ],
  ])('is refused where it is %s, and no byte of it kept', async (_, disk_format, data, message) => {
    const before = await images.objects();
    const { id } = await images.create({ disk_format });
    const response = await images.upload(id, data);
    expect(errorOf(response)).toEqual({ key: 'unsupportedMediaType', code: 415, message });
    expect(response.status).toBe(415);
    expect(await images.show(id)).toMatchObject({
      status: 'queued',
      size: null,
      virtual_size: null,
      checksum: null,
      os_glance_status_reason: message,
    });
    expect(await images.objects()).toEqual(before);
  });

  it('can be uploaded again after a refusal', async () => {
    const { id } = await images.create({ disk_format: 'iso' });
    expect((await images.upload(id, Buffer.alloc(512))).status).toBe(415);
    expect((await images.upload(id, craftIso())).status).toBe(204);
    expect(await images.show(id)).toMatchObject({ status: 'active', virtual_size: 40_960 });
  });

  it('can be both an ISO image and a raw disk', async () => {
    const hybrid = craftIso({ partitions: true });
    for (const disk_format of ['iso', 'raw']) {
      expect(await images.createActive(hybrid, { disk_format })).toMatchObject({
        status: 'active',
      });
    }
  });

  it('is compared with disk_format at upload time', async () => {
    const { id } = await images.create({ disk_format: 'raw' });
    const changes = [{ op: 'replace', path: '/disk_format', value: 'qcow2' }];
    const patched = await images.client.patch(`/v2/images/${id}`, {
      token: images.member,
      body: changes,
      headers: { 'Content-Type': 'application/openstack-images-v2.1-json-patch' },
    });
    expect(patched.status).toBe(200);
    expect((await images.upload(id, craftQcow2())).status).toBe(204);
  });

  it('is stored unexamined in a container', async () => {
    const fields = { disk_format: 'raw', container_format: 'ova' };
    expect(await images.createActive(backedQcow2(), fields)).toMatchObject({
      status: 'active',
      virtual_size: null,
    });
  });

  it('reports a size mismatch before damage', async () => {
    const { id } = await images.create({ disk_format: 'qcow2' });
    const response = await fetch(`${images.client.baseUrl}/v2/images/${id}/file`, {
      method: 'PUT',
      headers: {
        'X-Auth-Token': images.member,
        'Content-Type': 'application/octet-stream',
        'X-OpenStack-Image-Size': '65536',
      },
      body: new ReadableStream({
        start(body) {
          body.enqueue(craftQcow2().subarray(0, 40));
          body.close();
        },
      }),
      duplex: 'half',
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('The upload announced 65536 bytes and sent 40.');
  });
});
