/** Images, backups and shelved servers. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import { eventually } from '@cumulet/testing/settle';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { expectError } from '../../errors.fixture.js';
import { HypervisorError } from '../../hypervisor/hypervisor-error.js';
import { ServerRepository } from '../../servers/server.repository.js';
import { ShelvedServersSweep } from './snapshots.service.js';

let compute: ComputeFixture;
let admin: string;

beforeAll(async () => {
  compute = await startCompute();
  admin = await compute.tokens.issue(['admin']);
});
afterEach(() => compute.deleteServers());
afterAll(() => compute.stop());

function act(id: string, body: object, minor = 96, token = compute.token): Promise<TestResponse> {
  const headers = { 'OpenStack-API-Version': `compute 2.${minor}` };
  return compute.client.post(`/servers/${id}/action`, { token, body, headers });
}

/** @returns the image's id */
async function createImage(id: string, createImage: object = {}): Promise<string> {
  const response = await act(id, { createImage: { name: 'copy', ...createImage } });
  expect(response.status).toBe(202);
  return (response.body as { image_id: string }).image_id;
}

/** Status and task. */
async function statusOf(id: string): Promise<string> {
  const { status, 'OS-EXT-STS:task_state': task } = await compute.show(id);
  return [status, task].filter((word) => typeof word === 'string').join(' ');
}

async function shelved(): Promise<string> {
  const id = await compute.buildServer();
  expect((await act(id, { shelve: null })).status).toBe(202);
  await compute.settle();
  expect(await statusOf(id)).toBe('SHELVED_OFFLOADED');
  return id;
}

describe('createImage', () => {
  it('makes an image of the type that is named', async () => {
    const id = await compute.buildServer();
    const image = await createImage(id, { metadata: { image_type: 'test' } });
    await compute.settle();
    expect(compute.images.made.get(image)?.properties).toMatchObject({ image_type: 'test' });
  });

  it('makes an image of a server, which continues as before', async () => {
    const base = compute.images.add({ properties: { os_distro: 'debian', img_signature: 'x' } });
    const id = await compute.buildServer({ imageRef: base });
    const image = await createImage(id, { metadata: { purpose: 'test' } });
    await compute.settle();
    expect(compute.images.statusOf(image)).toBe('active');
    expect(compute.images.made.get(image)).toMatchObject({
      name: 'copy',
      owner: compute.projectId,
      visibility: 'private',
      diskFormat: 'qcow2',
      containerFormat: 'bare',
      minDiskGb: 1,
      properties: {
        purpose: 'test',
        os_distro: 'debian',
        image_type: 'snapshot',
        instance_uuid: id,
        base_image_ref: base,
      },
    });
    expect(compute.images.made.get(image)?.properties).not.toHaveProperty('img_signature');
    expect(await statusOf(id)).toBe('ACTIVE');
    expect((await compute.createServer({ imageRef: image })).status).toBe(202);
    await compute.settle();
  });

  it('makes none of a running guest that must be frozen and has no agent', async () => {
    const imageRef = compute.images.add({ properties: { os_require_quiesce: 'yes' } });
    const id = await compute.buildServer({ imageRef });
    const image = await createImage(id);
    await compute.settle();
    expect(compute.images.statusOf(image)).toBeUndefined();
    expect(await statusOf(id)).toBe('ACTIVE');
    await act(id, { 'os-stop': null });
    await compute.settle();
    const whileOff = await createImage(id);
    await compute.settle();
    expect(compute.images.statusOf(whileOff)).toBe('active');
  });

  it('names the image at once, before 2.45 by its address', async () => {
    const id = await compute.buildServer();
    const response = await act(id, { createImage: { name: 'copy' } }, 44);
    expect(response.text).toBe('');
    const image = response.headers.get('location')?.split('/images/')[1] ?? '';
    expect(compute.images.statusOf(image)).toBeDefined();
    await compute.settle();
  });

  it.each(['os-stop', 'pause', 'suspend'])('leaves a server as it is after %s', async (action) => {
    const id = await compute.buildServer();
    await act(id, { [action]: null });
    await compute.settle();
    const before = await statusOf(id);
    const image = await createImage(id);
    await compute.settle();
    expect(await statusOf(id)).toBe(before);
    expect(compute.images.statusOf(image)).toBe('active');
  });

  it('leaves no image if the disk cannot be copied, and says why', async () => {
    const id = await compute.buildServer();
    compute.hypervisor.failNext('copyDisk', new HypervisorError('capacity', 'No room.'));
    const image = await createImage(id);
    await compute.settle();
    expect(compute.images.statusOf(image)).toBeUndefined();
    expect(await statusOf(id)).toBe('ACTIVE');
    const { body } = await compute.client.get(`/servers/${id}/os-instance-actions`, {
      token: compute.token,
    });
    expect(body).toMatchObject({
      instanceActions: [{ action: 'createImage', message: 'No room.' }, {}],
    });
  });

  it('reports a refusal of the images service at once, and leaves the server as it was', async () => {
    const id = await compute.buildServer();
    const refusal = (): Error => new ServiceRefusedError('images', 413, 'Quota exhausted.');
    compute.images.failing.create.push(refusal(), refusal());
    const response = await act(id, { createImage: { name: 'copy' } });
    expect(response.status).toBe(413);
    expect(response.text).toContain('Quota exhausted.');
    await compute.settle();
    expect(await statusOf(id)).toBe('ACTIVE');
  });

  it('leaves no image of a server that is deleted meanwhile', async () => {
    const hold = compute.hypervisor.hold('copyDisk');
    const id = await compute.buildServer();
    const image = await createImage(id);
    await hold.reached;
    await compute.client.delete(`/servers/${id}`, { token: compute.token });
    hold.release();
    await compute.settle();
    expect(compute.images.statusOf(image)).toBeUndefined();
    expect(compute.hypervisor.world.guests.has(id)).toBe(false);
  });

  it('ends if its image is deleted meanwhile', async () => {
    const hold = compute.hypervisor.hold('copyDisk');
    const id = await compute.buildServer();
    const image = await createImage(id);
    await hold.reached;
    compute.images.remove(image);
    hold.release();
    await compute.settle();
    expect(await statusOf(id)).toBe('ACTIVE');
    expect(compute.images.statusOf(image)).toBeUndefined();
  });

  it.each([
    [{ name: '' }, 'createImage.name'],
    [{ name: 'a\nb' }, 'createImage.name'],
    [{}, 'createImage.name'],
    [{ name: 'a', metadata: { a: 1 } }, 'createImage.metadata'],
    [{ name: 'a', colour: 'red' }, 'createImage.colour'],
  ])('refuses %j', async (createImage, message) => {
    const id = await compute.buildServer();
    const { status, text } = await act(id, { createImage });
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(message) });
  });

  it('refuses more properties than the quota allows', async () => {
    const id = await compute.buildServer();
    const metadata = Object.fromEntries(Array.from({ length: 129 }, (_, at) => [`k${at}`, 'v']));
    const before = compute.images.made.size;
    expect((await act(id, { createImage: { name: 'a', metadata } })).status).toBe(403);
    expect(compute.images.made.size).toBe(before);
    expect(await statusOf(id)).toBe('ACTIVE');
  });
});

describe('createBackup', () => {
  it('keeps the requested number of a type, the newest', async () => {
    const id = await compute.buildServer();
    const made: string[] = [];
    for (const type of ['daily', 'daily', 'weekly', 'daily']) {
      const createBackup = { name: type, backup_type: type, rotation: 2 };
      const { body } = await act(id, { createBackup });
      made.push((body as { image_id: string }).image_id);
      await compute.settle();
    }
    const kept = made.map((image) => compute.images.statusOf(image));
    expect(kept).toEqual([undefined, 'active', 'active', 'active']);
    expect(compute.images.made.get(made[3] ?? '')?.properties).toMatchObject({
      image_type: 'backup',
      backup_type: 'daily',
    });
  });

  it.each([
    [{ name: 'a', backup_type: 'daily', rotation: -1 }, 'createBackup.rotation'],
    [{ name: 'a', backup_type: 'daily' }, 'createBackup.rotation'],
    [{ name: 'a', rotation: 1 }, 'createBackup.backup_type'],
  ])('refuses %j', async (createBackup, message) => {
    const id = await compute.buildServer();
    const { status, text } = await act(id, { createBackup });
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(message) });
  });
});

describe('a shelved server', () => {
  it("has no host, and uses no host's resources", async () => {
    const id = await shelved();
    const server = await compute.show(id, admin);
    expect(server).toMatchObject({
      'OS-EXT-SRV-ATTR:host': null,
      'OS-EXT-STS:vm_state': 'shelved_offloaded',
      'OS-EXT-STS:power_state': 4,
    });
    expect(compute.hypervisor.world.guests.has(id)).toBe(false);
    const usage: { vcpus: string }[] = await compute.app.dataSource.query(
      'SELECT vcpus FROM host_usage WHERE vcpus <> 0',
    );
    expect(usage).toEqual([]);
  });

  it('is unshelved from its image, which is then deleted', async () => {
    const id = await shelved();
    const [image] = [...compute.images.made.values()].filter(
      ({ properties }) => properties['instance_uuid'] === id,
    );
    expect(image?.name).toBe('web-1-shelved');
    expect((await act(id, { unshelve: null })).status).toBe(202);
    await compute.settle();
    expect(await statusOf(id)).toBe('ACTIVE');
    expect(await compute.show(id)).toMatchObject({ image: { id: compute.images.bootable } });
    expect(compute.hypervisor.world.guests.get(id)?.disk?.image.id).toBe(image?.id);
    await eventually(
      'the image is gone',
      () => compute.images.statusOf(image?.id ?? '') === undefined,
    );
  });

  it('stays shelved if no host has room for it, and says why', async () => {
    const id = await shelved();
    await compute.app.dataSource.query('UPDATE hosts SET enabled = false');
    await act(id, { unshelve: null });
    await compute.settle();
    await compute.app.dataSource.query('UPDATE hosts SET enabled = true');
    expect(await statusOf(id)).toBe('SHELVED_OFFLOADED');
    await act(id, { unshelve: null });
    await compute.settle();
    expect(await statusOf(id)).toBe('ACTIVE');
  });

  it('is unshelved in the requested zone and on the requested host', async () => {
    const id = await shelved();
    const elsewhere = { unshelve: { availability_zone: 'nova', host: 'host-1' } };
    expect((await act(id, elsewhere, 96, admin)).status).toBe(202);
    await compute.settle();
    expect(await compute.show(id, admin)).toMatchObject({
      status: 'ACTIVE',
      'OS-EXT-SRV-ATTR:host': 'host-1',
    });
  });

  it.each<[object, number, number, string]>([
    [{ availability_zone: 'none' }, 96, 400, 'availability zone is not available'],
    [{ availability_zone: 'nova' }, 76, 400, 'came with microversion 2.77'],
    [{ availability_zone: null }, 90, 400, 'came with microversion 2.91'],
    [{ host: 'host-1' }, 90, 400, 'came with microversion 2.91'],
    [{ host: 'host-1' }, 96, 403, ''],
    [{ colour: 'red' }, 96, 400, 'unshelve.colour'],
  ])('stays shelved with %j in 2.%i', async (unshelve, minor, status, message) => {
    const id = await shelved();
    const response = await act(id, { unshelve }, minor);
    expect(response.status).toBe(status);
    expect(response.text).toContain(message);
    expect(await statusOf(id)).toBe('SHELVED_OFFLOADED');
  });

  it('is deleted with its image', async () => {
    const id = await shelved();
    await compute.client.delete(`/servers/${id}`, { token: compute.token });
    await compute.settle();
    const left = [...compute.images.made.values()].filter(
      ({ properties, id: image }) =>
        properties['instance_uuid'] === id && compute.images.statusOf(image) !== undefined,
    );
    expect(left).toEqual([]);
  });

  it('stays active if no image could be made of it', async () => {
    const id = await compute.buildServer();
    compute.hypervisor.failNext('copyDisk', new HypervisorError('capacity', 'No room.'));
    await act(id, { shelve: null });
    await compute.settle();
    expect(await statusOf(id)).toBe('ACTIVE');
    expect(compute.hypervisor.world.guests.get(id)).toMatchObject({ state: 'running' });
  });

  it.each([{ 'os-start': null }, { 'os-stop': null }, { shelve: null }, { pause: null }])(
    'is refused %j',
    async (body) => {
      expect((await act(await shelved(), body)).status).toBe(409);
    },
  );

  it('cannot be unshelved while it is active', async () => {
    const id = await compute.buildServer();
    const message = `Cannot 'unshelve' instance ${id} while it is in vm_state active`;
    expectError(await act(id, { unshelve: null }), 409, 'conflictingRequest', message);
  });
});

describe('if shelved servers keep their hosts for a while', () => {
  let lasting: ComputeFixture;
  beforeAll(async () => {
    lasting = await startCompute({ config: { shelvedOffloadSeconds: 600 } });
  });
  afterAll(() => lasting.stop());

  const send = async (id: string, body: object, token = lasting.token): Promise<number> => {
    const { status } = await lasting.client.post(`/servers/${id}/action`, { token, body });
    await lasting.settle();
    return status;
  };
  const shelve = async (): Promise<string> => {
    const id = await lasting.buildServer();
    await send(id, { shelve: null });
    expect(await lasting.show(id)).toMatchObject({ status: 'SHELVED' });
    return id;
  };

  it('they are unshelved there', async () => {
    const id = await shelve();
    await send(id, { unshelve: null });
    expect(await lasting.show(id)).toMatchObject({ status: 'ACTIVE' });
    expect(lasting.hypervisor.world.guests.get(id)?.disk?.image.id).toBe(lasting.images.bootable);
  });

  it('they cannot be unshelved elsewhere', async () => {
    const id = await shelve();
    const { status } = await lasting.client.post(`/servers/${id}/action`, {
      token: lasting.token,
      body: { unshelve: { availability_zone: 'nova' } },
      headers: { 'OpenStack-API-Version': 'compute 2.77' },
    });
    expect(status).toBe(409);
  });

  it('an administrator may have them offloaded', async () => {
    const id = await shelve();
    expect(await send(id, { shelveOffload: null })).toBe(403);
    const token = await lasting.tokens.issue(['admin']);
    expect(await send(id, { shelveOffload: null }, token)).toBe(202);
    expect(await lasting.show(id)).toMatchObject({ status: 'SHELVED_OFFLOADED' });
  });

  it('a sweep offloads them after that time', async () => {
    const id = await shelve();
    const servers = new ShelvedServersSweep(new ServerRepository(), lasting.config);
    await servers.run(lasting.ctx);
    await lasting.settle();
    expect(await lasting.show(id)).toMatchObject({ status: 'SHELVED' });
    await lasting.app.dataSource.query(
      `UPDATE servers SET state_since = now() - interval '11 minutes' WHERE id = $1`,
      [id],
    );
    await servers.run(lasting.ctx);
    await lasting.settle();
    expect(await lasting.show(id)).toMatchObject({ status: 'SHELVED_OFFLOADED' });
  });
});
