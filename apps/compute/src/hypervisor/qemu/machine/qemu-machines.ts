import { HypervisorError } from '../../hypervisor-error.js';
import type { GuestDiagnostics } from '../../ports/guest-diagnostics.js';
import type { GuestSpec } from '../../ports/guest-spec.js';
import type { GuestState, MachinesPort } from '../../hypervisor-driver.js';
import { forgetFrozen } from '../agent/guest-freeze.js';
import type { GuestRegistry } from '../guest-registry.js';
import { prepareLaunch } from './prepare-launch.js';
import type { QemuHypervisorOptions } from '../qemu-programs.js';
import { discardMemory, isSuspended } from './memory-snapshot.js';

export class QemuMachines implements MachinesPort {
  constructor(
    private readonly registry: GuestRegistry,
    private readonly options: QemuHypervisorOptions,
  ) {}

  async ensureRunning(guest: GuestSpec): Promise<void> {
    await this.registry.inTurn(
      guest.id,
      'The server could not be started',
      async (machine, folder) => {
        if (await isSuspended(folder)) {
          const images = await this.registry.imagesOf(guest, folder);
          await machine.resumeSuspended(await prepareLaunch(guest, folder, images, this.options));
          return;
        }
        const state = await machine.state();
        switch (state) {
          case 'running':
            return;
          case 'paused':
            await machine.resume();
            return;
          case 'shutdown':
          case 'crashed':
          case 'absent': {
            // Prepared first: a machine is never ended for one that cannot start.
            const images = await this.registry.imagesOf(guest, folder);
            const rescue = await this.registry.rescueImagesOf(guest, folder);
            const launch = await prepareLaunch(guest, folder, images, this.options, rescue);
            await machine.stopIfHalted();
            await forgetFrozen(folder);
            await machine.start(launch);
          }
        }
      },
    );
  }

  async powerDown(guestId: string): Promise<void> {
    await this.registry.inTurn(guestId, 'The server could not be powered down', async (machine) => {
      if ((await machine.state()) === 'running') await machine.pressPowerButton();
    });
  }

  async pause(guestId: string): Promise<void> {
    await this.registry.inTurn(guestId, 'The server could not be paused', (machine) =>
      machine.pause(),
    );
  }

  async suspend(guestId: string): Promise<void> {
    await this.registry.inTurn(guestId, 'The server could not be suspended', (machine) =>
      machine.suspend(),
    );
  }

  async injectInterrupt(guestId: string): Promise<void> {
    await this.registry.inTurn(guestId, 'The server could not be interrupted', (machine) =>
      machine.injectInterrupt(),
    );
  }

  async powerOff(guestId: string): Promise<void> {
    await this.registry.inTurn(
      guestId,
      'The server could not be stopped',
      async (machine, folder) => {
        await machine.stop();
        await discardMemory(folder);
      },
    );
  }

  async reset(guestId: string): Promise<void> {
    await this.registry.inTurn(guestId, 'The server could not be reset', async (machine) => {
      if (!(await machine.exists())) {
        throw new HypervisorError('not-ready', 'The server has no machine that could be reset.');
      }
      await machine.reset();
    });
  }

  async diagnostics(guestId: string): Promise<GuestDiagnostics> {
    return this.registry.inTurn(guestId, 'The diagnostics could not be read', (machine) =>
      machine.diagnostics(),
    );
  }

  async state(guestId: string): Promise<GuestState> {
    return this.registry.inTurn(guestId, 'The state of the server could not be read', (machine) =>
      machine.state(),
    );
  }
}
