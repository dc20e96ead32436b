/** Phases of servers' plans. Each is idempotent: finished work is left alone. */
import type { Readable } from 'node:stream';
import { asService } from '@cumulet/clients/http/actor';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { Seal } from '@cumulet/common/crypto/seal';
import {
  phase,
  type Phase,
  type Plan,
  type Scope,
  type Wait,
} from '@cumulet/common/reconcile/reconciler';
import { equals } from '@cumulet/common/tables/condition';
import type { ComputeConfig } from '../config.js';
import type { BootImage } from '../hypervisor/boot-image.js';
import type { HypervisorDriver } from '../hypervisor/hypervisor-driver.js';
import { HypervisorError } from '../hypervisor/hypervisor-error.js';
import type { Images } from '../images.port.js';
import type { Placement } from '../scheduler/placement.js';
import type { GuestSpec } from '../hypervisor/ports/guest-spec.js';
import type { ServerNicsService, GuestNetwork } from '../nics/server-nics.service.js';
import { onHypervisor, GuestNotNowError } from '../servers/server.errors.js';
import type { Server } from '../servers/server.entity.js';
import type { ServerRepository } from '../servers/server.repository.js';
import type { ServerEvent, ServerState } from '../servers/server.states.js';
import { shutdownSecondsOf } from '../servers/shutdown-time.js';
import { guestHardwareOf } from '../servers/hardware/hardware-properties.js';
import { rescueDeviceOf } from '../servers/hardware/rescue-device.js';
import { metaDataOf } from '../servers/meta-data.js';
import type { ServerResizes } from './server-resizes.js';

export type ServerScope = Scope<Server>;
export type ServerPlans = Partial<Record<ServerState, Plan<Server, ServerEvent>>>;

/** Dependencies of phases. */
export interface PhaseTools {
  readonly servers: ServerRepository;
  readonly resizes: ServerResizes;
  readonly placement: Placement;
  readonly hypervisor: HypervisorDriver;
  readonly images: Images;
  readonly nics: ServerNicsService;
  readonly seal: Seal;
  readonly config: ComputeConfig;
}

/** Poll interval for a guest that is shutting down. */
const SHUTDOWN_POLL_MS = 500;

/** Turns the driver's errors into the domain's. */
export function serverPhase(
  name: string,
  run: (scope: ServerScope) => Promise<Wait | undefined> | Promise<void>,
): Phase<Server> {
  const plain = phase(name, run);
  return { name, run: (scope) => onHypervisor(plain.run(scope)) };
}

export class ServerPhases {
  constructor(readonly tools: PhaseTools) {}

  readonly choosePlace = serverPhase('choosePlace', ({ ctx, row }) =>
    this.tools.placement.place(ctx, row),
  );

  readonly ensureImages = serverPhase('ensureImages', async ({ ctx, row }) => {
    const { image } = row;
    for (const part of [image, image.kernel, image.ramdisk]) {
      if (part) await this.ensureImage(ctx, part);
    }
  });

  readonly ensureDisk = serverPhase('ensureDisk', async ({ ctx, row }) =>
    this.tools.hypervisor.disks.ensureDisk(await this.guest(ctx, row)),
  );

  /** Before each start: the server may have another host, or its guests another user. */
  readonly ensurePorts = serverPhase('ensurePorts', ({ ctx, row }) =>
    this.tools.nics.ensurePorts(ctx, row, () => this.tools.hypervisor.nics.deviceUser(row.id)),
  );

  readonly ensureGuestRunning = serverPhase('ensureGuestRunning', async ({ ctx, row }) =>
    this.tools.hypervisor.machines.ensureRunning(await this.guest(ctx, row)),
  );

  readonly recordLaunch = serverPhase('recordLaunch', ({ ctx, row }) =>
    this.tools.servers.setLaunched(ctx, row.id),
  );

  /** Asks the guest to shut down, and polls until its time is up: the next phase cuts the power. */
  readonly ensureGuestShutDown = serverPhase('ensureGuestShutDown', async ({ row }) => {
    const { machines } = this.tools.hypervisor;
    // The time is checked first: a machine that hangs does not answer, and is cut off too.
    const waited = Date.now() - row.stateSince.getTime();
    if (waited >= shutdownSecondsOf(row, this.tools.config) * 1000) return undefined;
    if ((await machines.state(row.id)) !== 'running') return undefined;
    await machines.powerDown(row.id);
    return { waitMs: SHUTDOWN_POLL_MS };
  });

  readonly ensureGuestOff = serverPhase('ensureGuestOff', ({ row }) =>
    this.tools.hypervisor.machines.powerOff(row.id),
  );

  readonly ensureGuestPaused = serverPhase('ensureGuestPaused', ({ row }) =>
    this.tools.hypervisor.machines.pause(row.id),
  );

  readonly ensureGuestSuspended = serverPhase('ensureGuestSuspended', ({ row }) =>
    this.tools.hypervisor.machines.suspend(row.id),
  );

  /** None on any host without a host; on a host that is down, its agent removes the guest later. */
  readonly ensureGuestGone = serverPhase('ensureGuestGone', async ({ ctx, row: { id, host } }) => {
    if (host === this.tools.config.host) return this.tools.hypervisor.guests.destroy(id);
    if (host !== null && (await this.tools.placement.isUp(ctx, host)))
      throw new GuestNotNowError(`Host ${host} is back.`, undefined);
  });

  /** Before ports are released: one that is created meanwhile would stay. */
  readonly awaitAttaching = serverPhase('awaitAttaching', ({ ctx, row }) =>
    this.tools.nics.awaitAttaching(ctx, row),
  );

  /** Once nothing uses them any more. */
  readonly releasePorts = serverPhase('releasePorts', ({ ctx, row }) =>
    this.tools.nics.releasePorts(ctx, row),
  );

  readonly releaseRoom = serverPhase('releaseRoom', ({ ctx, row }) =>
    this.tools.servers.clearHost(ctx, row.id),
  );

  readonly removeRow = serverPhase('removeRow', async ({ ctx, row }) => {
    await this.tools.servers.deleteAll(ctx, [equals('id', row.id)]);
  });

  /** Reads the row again: an earlier phase of the same run may have changed it. */
  async current({ ctx, row }: ServerScope): Promise<Server> {
    return (await this.tools.servers.find(ctx, row.id)) ?? row;
  }

  /** With its present NICs. */
  async guest(ctx: RequestContext, server: Server): Promise<GuestSpec> {
    return guestSpecOf(server, await this.tools.nics.ofGuest(ctx, server), this.tools.seal);
  }

  async ensureImage(ctx: RequestContext, image: BootImage): Promise<void> {
    const { images } = this.tools.hypervisor;
    if (await images.hasBaseImage(image)) return;
    await images.putBaseImage(image, () => this.#download(ctx, image.id));
  }

  /**
   * As compute itself: the caller's token may have expired. The image may have been deleted,
   * deactivated or found damaged since, which a retry does not change.
   */
  async #download(ctx: RequestContext, imageId: string): Promise<Readable> {
    try {
      return await this.tools.images.download(asService(ctx), imageId);
    } catch (error) {
      if (!(error instanceof ServiceRefusedError)) throw error;
      const reason = `Image ${imageId} cannot be downloaded. ${error.message}`;
      throw new HypervisorError('bad-image', reason, error);
    }
  }
}

/** A server in the driver's form. */
export function guestSpecOf(
  server: Server,
  { nics, networkData, namespace }: GuestNetwork,
  seal: Seal,
): GuestSpec {
  const { id, vcpus, memoryMb, diskGb, image, diskTag, localDisks, flavor, adminPassword } = server;
  const { rescueImage } = server;
  const hardware = guestHardwareOf(image.properties ?? {}, flavor.extraSpecs ?? {}, vcpus);
  return {
    id,
    vcpus,
    memoryMb,
    diskGb,
    diskTag: diskTag ?? undefined,
    localDisks,
    image,
    kernel: image.kernel,
    ramdisk: image.ramdisk,
    kernelCommandLine: image.properties?.['os_command_line'],
    hardware,
    rescue: rescueImage ?? undefined,
    rescueDevice: rescueDeviceOf(rescueImage?.properties ?? {}, hardware.machine),
    nics: nics.map((nic) => ({ ...nic, model: hardware.nicModel })),
    networkNamespace: namespace,
    configDrive: {
      metaData: {
        ...metaDataOf(server),
        ...(adminPassword === null ? {} : { admin_pass: seal.open(adminPassword) }),
      },
      userData: server.userData ?? undefined,
      files: server.injectedFiles,
      networkData,
    },
  };
}
