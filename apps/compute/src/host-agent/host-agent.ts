/**
 * The agent of a hypervisor host: reports its resources and that it is alive, and compares its
 * guests with the rows. The reconciler does everything else, on nudges.
 */
import { readFile } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { BeforeWork, SweepEvery } from '@cumulet/common/service/background';
import { Feature } from '@cumulet/common/service/feature';
import { CONFIG } from '@cumulet/common/service/tokens';
import { amend, SupersededError, transition } from '@cumulet/common/states/transition';
import type { ComputeConfig } from '../config.js';
import {
  type GuestState,
  type HypervisorDriver,
  HYPERVISOR,
} from '../hypervisor/hypervisor-driver.js';
import { isWatched } from '../servers/server-status.js';
import type { Server } from '../servers/server.entity.js';
import { ServerRepository } from '../servers/server.repository.js';
import { serverStates, type ServerEvent } from '../servers/server.states.js';
import { nudgeServer } from '../servers/server.tasks.js';
import { cpuOf, freeGb, hostAddress, uptimeText, type HostCpu } from '../hosts/host-facts.js';
import { removeLeftovers } from '../server-migrations/leftover-guests.js';
import { SILENCE_SECONDS } from '../hosts/host.entity.js';
import { HostRepository } from '../hosts/host.repository.js';
import { DeadHostsSweep } from './dead-hosts.sweep.js';
import { UnusedImagesSweep, WantedImage, WantedImagesSweep } from './image-cache.sweep.js';

const REPORT_EVERY_MS = 3_000;
const COMPARE_EVERY_MS = 5_000;

@Injectable()
export class HostAgent {
  /** At the first comparison since the start, missing guests went down with the host. */
  #justStarted = true;
  /** The host may have been marked down since its last comparison, and its work been ended. */
  #wasAway = true;
  #reportedAt = 0;
  #cpu: HostCpu | undefined;

  constructor(
    private readonly hosts: HostRepository,
    private readonly servers: ServerRepository,
    @Inject(HYPERVISOR) private readonly hypervisor: HypervisorDriver,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {}

  /** Placement needs the host: it must be known before the first job is taken. */
  @BeforeWork()
  @SweepEvery(REPORT_EVERY_MS, 'report', { local: true })
  async report(ctx: RequestContext): Promise<void> {
    const { type, version, vcpus, memoryMb, diskGb } = await this.hypervisor.host.describe();
    await this.hosts.report(ctx, {
      name: this.config.host,
      hypervisorType: type,
      hypervisorVersion: version,
      vcpus,
      memoryMb,
      diskGb,
      freeDiskGb: await freeGb(this.config.dataDir),
      address: hostAddress(),
      cpu: (this.#cpu ??= cpuOf(await readFile('/proc/cpuinfo', 'utf8').catch(() => ''))),
      uptime: uptimeText(),
      apiUrl: this.config.hostApiUrl ?? null,
    });
    if (Date.now() - this.#reportedAt > SILENCE_SECONDS * 1_000) this.#wasAway = true;
    this.#reportedAt = Date.now();
  }

  /** Removes guests without a row, and records guests that stopped by themselves. */
  @SweepEvery(COMPARE_EVERY_MS, 'compare', { local: true })
  async compare(ctx: RequestContext): Promise<void> {
    // Guests first: a row precedes its guest, so a guest without one has lost it. A guest whose row
    // names another host stays: this host may have been renamed, and its disks are needed.
    const guests = await this.hypervisor.guests.list();
    const placed = await this.servers.placedAmong(ctx, guests);
    const orphans = guests.filter((guest) => !placed.has(guest));
    const rows = await this.servers.onHost(ctx, this.config.host);
    const watched = rows.filter(isWatched);
    // A failure with one does not stop the others.
    const wasAway = this.#wasAway;
    this.#wasAway = false;
    const unchecked = await failuresOf(watched, (server) => this.#checkGuest(ctx, server, wasAway));
    if (unchecked.length === 0) this.#justStarted = false;
    else this.#wasAway ||= wasAway;
    const undestroyed = await failuresOf(orphans, (guest) => this.hypervisor.guests.destroy(guest));
    await removeLeftovers(ctx, this.config.host, (guest) => this.hypervisor.guests.destroy(guest));
    const failures = [...unchecked, ...undestroyed];
    if (failures.length > 0)
      throw new AggregateError(failures, `${failures.length} guests could not be looked after`);
  }

  async #checkGuest(ctx: RequestContext, server: Server, wasAway: boolean): Promise<void> {
    const found = await this.hypervisor.machines.state(server.id);
    try {
      await (server.state === 'active' || server.state === 'paused'
        ? this.#follow(ctx, server, found, wasAway)
        : notePower(ctx, server, found));
    } catch (error) {
      // For example, the server was rebooted between reading its row and inspecting the guest.
      if (!(error instanceof SupersededError)) throw error;
    }
  }

  async #follow(
    ctx: RequestContext,
    server: Server,
    found: GuestState,
    wasAway: boolean,
  ): Promise<void> {
    const event = this.#eventOf(server, found, wasAway);
    if (!event) return;
    const { id, generation } = server;
    const reason = REASONS[found] ?? null;
    await inTransaction(ctx, async (tx) => {
      await transition(tx, serverStates, id, event, { only: { generation }, reason });
      await nudgeServer(tx, server);
    });
  }

  #eventOf({ state }: Server, found: GuestState, wasAway: boolean): ServerEvent | undefined {
    switch (found) {
      case 'running':
        return undefined;
      case 'paused':
        // Its host went down while it was being paused.
        return wasAway && state === 'active' ? 'guest-lost' : undefined;
      case 'shutdown':
      case 'crashed':
        return 'guest-stopped';
      case 'absent':
        // The memory of a paused guest is lost: a start would not bring it back.
        return this.#justStarted && this.config.resumeGuests && state === 'active'
          ? 'guest-lost'
          : 'guest-stopped';
    }
  }
}

/**
 * A rescued or resized server stays so without its guest; only its power state shows it. Public
 * source: nova, `compute/manager.py`, _sync_instance_power_state.
 */
async function notePower(ctx: RequestContext, server: Server, found: GuestState): Promise<void> {
  const guestOff = found !== 'running' && found !== 'paused';
  const { id, generation } = server;
  if (guestOff === server.guestOff) return;
  await amend(ctx, serverStates, id, { only: { generation }, set: { guestOff } });
}

/** Works on each in turn; returns the errors. */
async function failuresOf<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const item of items) {
    await work(item).catch((failure: unknown) => failures.push(failure));
  }
  return failures;
}

const REASONS: Readonly<Partial<Record<GuestState, string>>> = {
  shutdown: 'The guest powered itself off.',
  crashed: 'The guest crashed.',
  absent: "The guest's process ended.",
};

@Feature({
  providers: [DeadHostsSweep, HostAgent, UnusedImagesSweep, WantedImagesSweep],
  entities: [WantedImage],
})
export class HostAgentModule {}
