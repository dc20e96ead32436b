import { randomBytes, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { asId, isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { QuotaExceededError } from '@cumulet/common/quotas/quota.errors';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import {
  initialState,
  transition,
  WrongStateError,
  type TransitionOptions,
} from '@cumulet/common/states/transition';
import type { ComputeConfig } from '../config.js';
import type { Flavor } from '../flavors/flavor.entity.js';
import { FlavorNotFoundError } from '../flavors/flavor.errors.js';
import { FlavorsService } from '../flavors/flavors.service.js';
import { type Images, IMAGES } from '../images.port.js';
import type { BootImage } from '../hypervisor/boot-image.js';
import type { LocalDisk } from '../hypervisor/ports/local-disk.js';
import type { InjectedFile } from '../hypervisor/ports/guest-spec.js';
import { recordAction } from '../instance-actions/record-action.js';
import { KeypairsService } from '../keypairs/keypairs.service.js';
import { ServerNicsService } from '../nics/server-nics.service.js';
import { ComputeQuotas } from '../quotas/compute-quotas.js';
import { RequestedDestination } from '../scheduler/requested-destination.js';
import { hintsOf, type SchedulingRequest } from '../scheduler/scheduling-request.js';
import { ServerGroupsService } from '../server-groups/server-groups.service.js';
import { versionOf } from '../versions/microversions.js';
import { bootableImage } from './bootable-image.js';
import { bootDeviceOf } from './boot-device.js';
import { guestHardwareOf } from './hardware/guest-hardware-of.js';
import { hostnameOf } from './hostname.js';
import type { CreateServerDto } from './server.dto.js';
import type { KeypairSnapshot, Server, ServerId } from './server.entity.js';
import { ServerNotFoundError, ServerStateConflictError } from './server.errors.js';
import { injectedFilesOf } from './injected-files.js';
import { shortestIpv6 } from './server-name.js';
import { ServerRepository, type NewServer } from './server.repository.js';
import { serverStates, type ServerEvent } from './server.states.js';
import { lockerOf, requireUnlocked } from './server-lock.js';
import { conflictOf } from './server-status.js';
import { nudgeServer, nudgeServers } from './server.tasks.js';
import { deadlineOf } from './shutdown-time.js';
import { tagsOf } from './tags/server-tags.service.js';
import { checkVersioned } from './versioned-properties.js';

export interface CreatedServers {
  readonly ids: readonly ServerId[];
  readonly reservationId: string;
  readonly adminPassword: string;
}

/** What else changes with a server's state. */
export interface ServerChanges extends Pick<TransitionOptions, 'only' | 'set' | 'reason'> {
  /** For what a lock does not keep members from. */
  readonly evenLocked?: boolean;
}

@Injectable()
export class ServersService {
  constructor(
    private readonly servers: ServerRepository,
    private readonly flavors: FlavorsService,
    @Inject(IMAGES) private readonly images: Images,
    private readonly seal: Seal,
    private readonly quotas: ComputeQuotas,
    private readonly keypairs: KeypairsService,
    private readonly nics: ServerNicsService,
    private readonly destination: RequestedDestination,
    private readonly groups: ServerGroupsService,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {}

  /** @throws ServerNotFoundError also for a server of another project */
  async get(ctx: RequestContext, id: string): Promise<Server> {
    const server = isUuid(id) ? await this.servers.visible(ctx, id) : undefined;
    if (!server) throw new ServerNotFoundError(id);
    return server;
  }

  /**
   * Inserts the rows and their nudges. All checks come first.
   * Public source: Nova API reference, "Create Server".
   */
  async create(
    ctx: RequestContext,
    dto: CreateServerDto,
    hints?: Readonly<Record<string, unknown>>,
  ): Promise<CreatedServers> {
    checkVersioned(ctx, dto);
    const count = countOf(dto);
    const flavor = await this.#flavorOf(ctx, dto.flavorRef);
    const { imageId, tag, localDisks } = bootDeviceOf(ctx, dto, flavor);
    const keypair = await this.#keypairOf(ctx, dto.key_name);
    const image = await bootableImage(ctx, this.images, imageId, flavor);
    guestHardwareOf(image.properties ?? {}, flavor.extraSpecs, flavor.vcpus);
    const injectedFiles = await this.#injectedFiles(ctx, dto);
    const scheduling = { ...(await this.destination.of(ctx, dto)), ...(hints ? { hints } : {}) };
    const { group } = hintsOf(hints ?? {});
    const adminPassword = dto.adminPass ?? randomBytes(9).toString('base64url');
    const reservationId = `r-${randomBytes(4).toString('hex')}`;
    const wanted = Array.from({ length: count }, (_, index) =>
      this.#row(ctx, dto, {
        ...{ flavor, image, tag, localDisks, keypair, injectedFiles },
        ...{ adminPassword, reservationId, index, count, scheduling },
      }),
    );
    const nics = await this.nics.wanted(ctx, dto, count, wanted[0]);
    return inTransaction(ctx, async (tx) => {
      const claimed = await this.#claim(tx, dto, flavor);
      const rows = wanted.slice(0, claimed);
      await this.servers.insertAll(tx, rows);
      await this.nics.insert(tx, rows, nics);
      const ids = rows.map(({ id }) => id);
      if (group !== undefined) await this.groups.join(tx, group, ids);
      await recordAction(tx, ids, 'create');
      await nudgeServers(
        tx,
        ids.map((id) => ({ id, host: null })),
      );
      return { ids, reservationId, adminPassword };
    });
  }

  /** Leaves a server that is being deleted already alone (Nova answers 204 again). */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    const server = await this.get(ctx, id);
    if (server.state === 'deleting') return;
    // What failed is still shown while the server goes.
    const reason = server.state === 'error' ? server.stateReason : null;
    await this.change(ctx, server, 'delete', 'delete', { reason }).catch((error: unknown) => {
      // Every other state allows it, so another delete came first.
      if (!(error instanceof ServerStateConflictError)) throw error;
    });
  }

  /** Keeps the project's members from changing a server. An owner's lock does not replace another. */
  async lock(ctx: RequestContext, server: Server, reason: string | null): Promise<void> {
    const lockedBy = lockerOf(ctx, server);
    if (server.lockedBy !== null && lockedBy === 'owner') return;
    await this.#setLock(ctx, server, { lockedBy, lockedReason: reason }, 'lock');
  }

  async unlock(ctx: RequestContext, server: Server): Promise<void> {
    await this.#setLock(ctx, server, { lockedBy: null, lockedReason: null }, 'unlock');
  }

  /**
   * Moves a server along an event and nudges its worker, in one transaction.
   * @param action what the client asked for, for the message and among the server's actions
   * @throws ServerStateConflictError when its state does not allow the event
   * @throws ServerLockedError for members, where it is locked
   */
  async change(
    ctx: RequestContext,
    server: Server,
    event: ServerEvent,
    action: string,
    { evenLocked = false, ...changes }: ServerChanges = {},
  ): Promise<void> {
    if (!evenLocked) requireUnlocked(ctx, server);
    await inTransaction(ctx, async (tx) => {
      const deadline = deadlineOf(event, server, this.config);
      const options = { ...changes, ...(deadline === undefined ? {} : { deadline }) };
      const moved = await transition(tx, serverStates, server.id, event, options).catch(wrongState);
      // As it is now: since it was read it may have got a host, or changed its state.
      const now = (await this.servers.find(tx, server.id)) ?? server;
      if (moved === undefined) throw conflictOf(action, now, serverStates.events[event].from);
      await recordAction(tx, [server.id], action);
      await nudgeServer(tx, now);
    });
  }

  #setLock(
    ctx: RequestContext,
    { id }: Server,
    lock: Pick<Server, 'lockedBy' | 'lockedReason'>,
    action: string,
  ): Promise<void> {
    return inTransaction(ctx, async (tx) => {
      await this.servers.setLock(tx, id, lock);
      await recordAction(tx, [id], action);
    });
  }

  async #flavorOf(ctx: RequestContext, ref: string): Promise<Flavor> {
    // Clients may send the flavor's address; its last part is the id.
    const id = ref.split('/').at(-1) ?? ref;
    const flavor = await this.flavors.findUsable(ctx, id);
    if (!flavor)
      throw new InvalidInputError(`server.flavorRef: ${new FlavorNotFoundError(id).message}`);
    return flavor;
  }

  /** @throws InvalidInputError when the caller has none of this name */
  async #keypairOf(ctx: RequestContext, name: string | undefined): Promise<KeypairSnapshot | null> {
    if (name === undefined) return null;
    const found = await this.keypairs.find(ctx, name);
    if (!found) throw new InvalidInputError(`Invalid key_name provided: ${name}`);
    const { type, publicKey } = found;
    return { name, type, publicKey };
  }

  /**
   * Claims for as many servers as the quotas leave, up to the most that are wanted.
   * @returns how many
   * @throws QuotaExceededError or QuotaExhaustedError where the fewest that are wanted are too many
   */
  async #claim(tx: RequestContext, dto: CreateServerDto, flavor: Flavor): Promise<number> {
    const most = countOf(dto);
    const fewest = dto.min_count ?? 1;
    const each = { instances: 1, cores: flavor.vcpus, ram: flavor.memoryMb };
    const claim = (count: number): Promise<void> =>
      this.quotas.claim(tx, {
        ...{ instances: count, cores: count * each.cores, ram: count * each.ram },
        metadata_items: Object.keys(dto.metadata ?? {}).length,
      });
    try {
      await claim(most);
      return most;
    } catch (error) {
      if (!(error instanceof QuotaExceededError) || fewest === most) throw error;
    }
    // The claim that was refused holds the quotas' locks, so what is left stays so.
    const usage = await this.quotas.usage(tx, tx.projectId);
    const left = (['instances', 'cores', 'ram'] as const)
      .filter((name) => usage[name].limit >= 0)
      .map((name) => Math.floor((usage[name].limit - usage[name].used) / each[name]));
    const count = Math.max(fewest, Math.min(most, ...left));
    await claim(count);
    return count;
  }

  #row(ctx: RequestContext, dto: CreateServerDto, parts: RowParts): NewServer {
    const { flavor, image, tag, localDisks, keypair, injectedFiles } = parts;
    const { adminPassword, reservationId, index, count, scheduling } = parts;
    const id = asId<ServerId>(randomUUID());
    const name = count === 1 ? dto.name : `${dto.name}-${index + 1}`;
    return {
      ...initialState(serverStates),
      id,
      projectId: ctx.projectId,
      userId: ctx.userId,
      name,
      hostname: dto.hostname ?? hostnameOf(name, id),
      description: descriptionOf(ctx, dto),
      accessIpV4: dto.accessIPv4 ?? null,
      accessIpV6: dto.accessIPv6 === undefined ? null : shortestIpv6(dto.accessIPv6),
      diskConfig: dto['OS-DCF:diskConfig'] ?? 'MANUAL',
      flavor: {
        ...{ id: flavor.id, name: flavor.name, extraSpecs: flavor.extraSpecs },
        ...{ ephemeralGb: flavor.ephemeralGb, swapMb: flavor.swapMb },
      },
      vcpus: flavor.vcpus,
      memoryMb: flavor.memoryMb,
      diskGb: flavor.diskGb,
      imageId: image.id,
      image,
      diskTag: tag,
      localDisks,
      keypair,
      nic: this.nics.cardOf(dto),
      metadata: dto.metadata ?? {},
      tags: tagsOf(dto.tags ?? []),
      userData: dto.user_data ?? null,
      injectedFiles,
      adminPassword: this.seal.seal(adminPassword),
      configDrive: dto.config_drive ?? false,
      reservationId,
      launchIndex: index,
      scheduling,
    };
  }

  /** @throws InjectedFileLimitError */
  async #injectedFiles(ctx: RequestContext, dto: CreateServerDto): Promise<InjectedFile[]> {
    const { personality = [] } = dto;
    if (personality.length === 0) return [];
    return injectedFilesOf(personality, await this.quotas.limits(ctx, ctx.projectId));
  }
}

interface RowParts {
  readonly flavor: Flavor;
  readonly image: BootImage;
  readonly tag: string | null;
  readonly localDisks: LocalDisk[];
  readonly keypair: KeypairSnapshot | null;
  readonly injectedFiles: InjectedFile[];
  readonly adminPassword: string;
  readonly reservationId: string;
  readonly index: number;
  readonly count: number;
  readonly scheduling: SchedulingRequest;
}

/** Returns undefined for a row whose state does not allow the event. */
function wrongState(error: unknown): undefined {
  if (!(error instanceof WrongStateError)) throw error;
}

/** Until 2.19 showed it, a server's name described it. */
function descriptionOf(ctx: RequestContext, { name, description }: CreateServerDto): string | null {
  return versionOf(ctx).atLeast(19) ? (description ?? null) : name;
}

function countOf({ min_count = 1, max_count }: CreateServerDto): number {
  const count = max_count ?? min_count;
  if (min_count > count) {
    throw new InvalidInputError(
      `Invalid input: server.min_count ${min_count} must not be greater than server.max_count ${count}.`,
    );
  }
  return count;
}
