/** Hardware of images and flavors, from the request to the guest. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startCompute, type ComputeFixture } from '../../compute.fixture.js';
import { expectError } from '../../errors.fixture.js';

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute();
});
afterAll(() => compute.stop());

it('a guest has the hardware that its image requests', async () => {
  const properties = { hw_disk_bus: 'scsi', hw_vif_model: 'e1000', os_command_line: 'quiet' };
  const id = await compute.buildServer({ imageRef: compute.images.add({ properties }) });
  const spec = compute.hypervisor.world.guest(id).startedWith;
  expect(spec?.hardware).toMatchObject({ diskBus: 'scsi', nicModel: 'e1000' });
  expect(spec?.kernelCommandLine).toBe('quiet');
});

it('an image with unsupported hardware is refused, and leaves nothing', async () => {
  const imageRef = compute.images.add({ properties: { hw_disk_bus: 'fdc' } });
  const count = (): Promise<unknown> =>
    compute.app.dataSource.query('SELECT count(*) FROM servers');
  const before = await count();
  expectError(
    await compute.createServer({ imageRef }),
    400,
    'badRequest',
    "Invalid input: hw_disk_bus 'fdc' is not offered: there are virtio, scsi, sata, ide, usb.",
  );
  expect(await count()).toEqual(before);
});
