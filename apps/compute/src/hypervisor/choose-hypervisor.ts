/** Chooses the driver that the settings name, or the best that this host can run. */
import { ChosenDriver } from '@cumulet/common/service/chosen-driver';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../config.js';
import { HypervisorError } from './hypervisor-error.js';
import { HYPERVISOR, type HypervisorDriver } from './hypervisor-driver.js';
import { findAccelerator } from './qemu/machine/accelerator.js';
import { findCgroups } from './qemu/machine/find-cgroups.js';
import { findGuestUsers, type GuestUsers } from './qemu/guest-users.js';
import { QemuHypervisor } from './qemu/qemu-hypervisor.js';
import { findQemuPrograms, type QemuPrograms } from './qemu/qemu-programs.js';
import { SimulatedWorld } from './simulated/simulated-world.js';
import { SimulatedHypervisor } from './simulated-hypervisor.js';

export interface HypervisorSettings {
  /** `auto` chooses QEMU if it is installed, else the simulated driver. */
  readonly driver: 'auto' | 'qemu' | 'simulated';
  /** For images and guests' files; hosts must not share one. */
  readonly dataDir: string;
  /** Console output kept per guest (1 MiB is plenty). */
  readonly consoleBytes: number;
  /** `tcg` forbids KVM, for hosts where its probe would be wrong. */
  readonly accelerator: 'auto' | 'tcg';
  /** The user that root runs guests as; by default one for each. */
  readonly qemuUser?: string | undefined;
  /** A cgroup v2 that is delegated to compute. */
  readonly cgroup?: string | undefined;
  /** Directories to search for programs, as in `PATH`. */
  readonly searchPath: string;
}

export class ChosenHypervisor extends ChosenDriver<HypervisorDriver> {
  constructor(driver: HypervisorDriver, reason: string) {
    super('hypervisor', driver, reason);
  }
}

/** Throws `missing-program` if `qemu` is required but missing, `not-ready` for an unusable user. */
export async function chooseHypervisor(settings: HypervisorSettings): Promise<ChosenHypervisor> {
  if (settings.driver === 'simulated') {
    return simulated(settings, 'the settings ask for it');
  }
  const users = await findGuestUsers(settings.qemuUser);
  const programs = await findQemuPrograms(settings.searchPath, users.of(''));
  if (typeof programs !== 'string') return qemu(settings, programs, users);
  if (settings.driver === 'auto') return simulated(settings, programs);
  throw new HypervisorError('missing-program', `The QEMU driver cannot run: ${programs}.`);
}

async function qemu(
  settings: HypervisorSettings,
  programs: QemuPrograms,
  users: GuestUsers,
): Promise<ChosenHypervisor> {
  const { dataDir, consoleBytes } = settings;
  const accelerator = await findAccelerator(settings.accelerator, users.of(''));
  const { cgroups, described } = await findCgroups(settings.cgroup);
  const driver = await QemuHypervisor.open({
    programs,
    accelerator,
    users,
    cgroups,
    dataDir,
    consoleBytes,
  });
  const sandbox = programs.sandbox ? '' : ', without its sandbox, which does not work here';
  const machine = `QEMU ${programs.version} with ${accelerator.name.toUpperCase()} (${accelerator.why})`;
  const reason = `${machine}${sandbox}; ${users.described}; ${described}`;
  return new ChosenHypervisor(driver, reason);
}

async function simulated(
  { dataDir, consoleBytes }: HypervisorSettings,
  why: string,
): Promise<ChosenHypervisor> {
  const world = await SimulatedWorld.open(dataDir);
  const reason = `simulated, no guest really runs (${why})`;
  return new ChosenHypervisor(new SimulatedHypervisor({ world, consoleBytes }), reason);
}

/** Undefined in processes that only answer requests. */
function hypervisorOf(config: ComputeConfig): Promise<ChosenHypervisor> | undefined {
  if (config.role === 'api') return undefined;
  return chooseHypervisor({ ...config, driver: config.hypervisor });
}

@Feature({
  providers: [
    { provide: ChosenHypervisor, inject: [CONFIG], useFactory: hypervisorOf },
    {
      provide: HYPERVISOR,
      inject: [ChosenHypervisor],
      useFactory: (chosen?: ChosenHypervisor) => chosen?.driver,
    },
  ],
})
export class HypervisorModule {}
