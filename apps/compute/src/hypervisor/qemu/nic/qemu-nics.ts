import { HypervisorError } from '../../hypervisor-error.js';
import type { GuestNic } from '../../ports/guest-nic.js';
import type { NicsPort } from '../../hypervisor-driver.js';
import { waitUntil } from '../../wait-until.js';
import type { GuestMachine } from '../machine/guest-machine.js';
import type { GuestRegistry } from '../guest-registry.js';
import type { GuestUsers } from '../guest-users.js';
import { openTunToAll, requireDevice } from './network-namespace.js';
import { nicCommands, nicNames } from './nic-arguments.js';
import { QmpError, type QmpConnection } from '../machine/qmp-connection.js';

/** Linux releases a NIC in well under a second. */
const UNPLUG_TIMEOUT_MS = 20_000;
/** A guest that boots has not heard the first request. */
const ASK_AGAIN_MS = 5_000;

export class QemuNics implements NicsPort {
  constructor(
    private readonly registry: GuestRegistry,
    private readonly users: GuestUsers,
  ) {}

  deviceUser(guestId: string): Promise<number | undefined> {
    const uid = this.users.of(guestId)?.uid ?? process.geteuid?.() ?? 0;
    return Promise.resolve(uid === 0 ? undefined : uid);
  }

  async plugNic(guestId: string, nic: GuestNic): Promise<void> {
    await this.registry.inTurn(
      guestId,
      'The network interface could not be plugged in',
      async (machine) => {
        if (!(await isThere(machine))) return;
        const { backend, device } = nicCommands(nic);
        if (nic.link.kind === 'tap') {
          await requireDevice(nic.link, await machine.pid());
          await openTunToAll();
        }
        await machine.converse(async (monitor) => {
          if ((await pluggedIn(monitor)).includes(nic.id)) return;
          await orAlready(monitor.execute('netdev_add', { ...backend }));
          await monitor.execute('device_add', { ...device });
        });
      },
    );
  }

  async unplugNic(guestId: string, nicId: string): Promise<void> {
    await this.registry.inTurn(
      guestId,
      'The network interface could not be removed',
      async (machine) => {
        if (!(await isThere(machine))) return;
        const { backend, device } = nicNames(nicId);
        const ask = (): Promise<boolean> =>
          machine.converse(async (monitor) => {
            if (!(await pluggedIn(monitor)).includes(nicId)) return true;
            // Refused while an earlier request is pending.
            await monitor.execute('device_del', { id: device }).catch(ifRefused);
            return false;
          });
        const isGone = async (): Promise<boolean> =>
          !(await isThere(machine)) || !(await machine.converse(pluggedIn)).includes(nicId);
        const end = Date.now() + UNPLUG_TIMEOUT_MS;
        while (!(await ask())) {
          if (await waitUntil(isGone, ASK_AGAIN_MS)) break;
          if (Date.now() > end)
            throw new HypervisorError(
              'not-ready',
              'The guest does not release the network interface.',
            );
        }
        if (!(await isThere(machine))) return;
        await machine.converse((monitor) =>
          monitor.execute('netdev_del', { id: backend }).catch(ifRefused),
        );
      },
    );
  }

  async pluggedNics(guestId: string): Promise<readonly string[]> {
    return this.registry.inTurn(
      guestId,
      'The network interfaces could not be read',
      async (machine) => ((await isThere(machine)) ? machine.converse(pluggedIn) : []),
    );
  }
}

async function isThere(machine: GuestMachine): Promise<boolean> {
  return (await machine.state()) !== 'absent';
}

interface Property {
  readonly name: string;
}

/** IDs of devices in QEMU's "QOM", which stay until the guest has released them. */
async function pluggedIn(monitor: QmpConnection): Promise<string[]> {
  const found = await monitor.execute('qom-list', { path: '/machine/peripheral' });
  return (found as readonly Property[]).flatMap(({ name }) =>
    name.startsWith('nic-') ? [name.slice('nic-'.length)] : [],
  );
}

/** An attempt that was broken off may have left the backend. */
async function orAlready(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof QmpError && /duplicate id/i.test(error.message))) throw error;
  });
}

function ifRefused(error: unknown): void {
  if (!(error instanceof QmpError && error.failure === 'refused')) throw error;
}
