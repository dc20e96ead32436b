import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestResponse } from '@cumulet/testing/http-client';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { HypervisorError } from '../../hypervisor/hypervisor-error.js';

let compute: ComputeFixture;
let id: string;

beforeAll(async () => {
  compute = await startCompute();
});

afterAll(() => compute.stop());

beforeEach(async () => {
  await compute.deleteServers();
  id = await compute.buildServer();
});

const act = (name: string, body: unknown = null): Promise<TestResponse> =>
  compute.act(id, { [name]: body });

const done = (name: string, body: unknown = null): Promise<TestResponse> =>
  compute.done(id, { [name]: body });

const guest = () => compute.hypervisor.world.guest(id);

describe('a rescue', () => {
  it("boots the server's own image beside its disk, with a password", async () => {
    const response = await done('rescue');
    const { adminPass } = response.body as { adminPass: string };
    expect([response.status, adminPass]).toEqual([200, expect.stringMatching(/^.{12}$/)]);
    expect(await compute.show(id)).toMatchObject({
      status: 'RESCUE',
      'OS-EXT-STS:vm_state': 'rescued',
      'OS-EXT-STS:task_state': null,
      'OS-EXT-STS:power_state': 1,
    });
    expect(guest()).toMatchObject({ state: 'running', starts: 2 });
    expect(guest().startedWith?.rescue?.id).toBe(compute.images.bootable);
    expect(guest().startedWith?.configDrive?.metaData).toMatchObject({ admin_pass: adminPass });
  });

  it('accepts a password and an image', async () => {
    const response = await done('rescue', {
      adminPass: 'horse',
      rescue_image_ref: compute.images.bootable,
    });
    expect(response.body).toEqual({ adminPass: 'horse' });
  });

  it("puts its disk where the image says, behind the server's", async () => {
    const properties = { hw_rescue_device: 'disk', hw_rescue_bus: 'usb' };
    await done('rescue', { rescue_image_ref: compute.images.add({ properties }) });
    expect(guest().startedWith?.rescueDevice).toEqual({ kind: 'disk', bus: 'usb' });
    await done('unrescue');
    expect(guest().startedWith?.rescueDevice).toBeUndefined();
  });

  it('ends with the server on its own disk', async () => {
    const { disk } = guest();
    await done('rescue');
    await done('unrescue');
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    expect(guest().startedWith?.rescue).toBeUndefined();
    expect(guest()).toMatchObject({ disk, state: 'running', starts: 3 });
    expect(guest().rescueDisk).toBeUndefined();
  });

  it('shows its task, also of a server that was off', async () => {
    await done('os-stop');
    const hold = compute.hypervisor.hold('ensureRescueDisk');
    await act('rescue');
    await hold.reached;
    expect(await compute.show(id)).toMatchObject({
      status: 'SHUTOFF',
      'OS-EXT-STS:vm_state': 'stopped',
      'OS-EXT-STS:task_state': 'rescuing',
    });
    hold.release();
    await compute.settle();
    expect(await compute.show(id)).toMatchObject({ status: 'RESCUE' });
  });

  it('that fails is an error, and a hard reboot boots the disk', async () => {
    compute.hypervisor.failNext('ensureRescueDisk', new HypervisorError('capacity', 'No room.'));
    await done('rescue');
    expect(await compute.show(id)).toMatchObject({
      status: 'ERROR',
      fault: { message: 'No room.' },
    });
    await done('reboot', { type: 'HARD' });
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
    expect(guest().startedWith?.rescue).toBeUndefined();
  });

  it('allows no action but its end', async () => {
    await done('rescue');
    for (const name of ['os-stop', 'os-start', 'pause', 'rescue']) {
      const response = await act(name);
      expect([response.status, response.text]).toEqual([
        409,
        expect.stringContaining('while it is in vm_state rescued'),
      ]);
    }
  });
});

describe('a rescue is refused', () => {
  it.each([
    [{ rescue_image_ref: '7f6f3a1c-0000-4000-8000-000000000000' }],
    [{ rescue_image_ref: 'nothing' }],
    [{ adminPass: '' }],
    [{ image: 'x' }],
  ])('with %p', async (body) => {
    const response = await act('rescue', body);
    expect([response.status, Object.keys(response.body as object)]).toEqual([400, ['badRequest']]);
    expect(await compute.show(id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('for an image that requires an impossible place for its disk', async () => {
    const properties = { hw_rescue_device: 'floppy', hw_rescue_bus: 'usb' };
    const response = await act('rescue', { rescue_image_ref: compute.images.add({ properties }) });
    expect([response.status, response.text]).toEqual([
      400,
      expect.stringContaining("hw_rescue_bus 'usb' is not offered: there are fdc."),
    ]);
    expect(guest()).toMatchObject({ state: 'running', starts: 1 });
  });

  it('when it ends without having begun', async () => {
    expect((await act('unrescue')).status).toBe(409);
  });
});
