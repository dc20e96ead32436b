import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { Feature } from '@cumulet/common/service/feature';
import { QuotaExceededError } from '@cumulet/common/quotas/quota.errors';
import type { Flavor } from '../flavors/flavor.resource.js';
import { FlavorNotFoundError } from '../flavors/flavor.errors.js';
import { FlavorsService } from '../flavors/flavors.service.js';
import type { InjectedFile } from '../hypervisor/ports/guest-spec.js';
import { type Images, IMAGES } from '../images.port.js';
import { recordAction } from '../servers/instance-actions/record-action.js';
import { KeypairsService } from '../keypairs/keypairs.service.js';
import { ServerNicsService } from '../nics/server-nics.service.js';
import { ComputeQuotas } from '../quotas/compute-quotas.js';
import { RequestedDestination } from '../scheduler/destination.js';
import { hintsOf } from '../scheduler/scheduling-request.js';
import { ServerGroupsService } from '../server-groups/server-groups.service.js';
import { bootableImage } from '../servers/bootable-image.js';
import { guestHardwareOf } from '../servers/hardware/hardware-properties.js';
import { type CreatedServers, ServerCreation } from '../servers/server-creation.port.js';
import type { CreateServerDto } from '../servers/server.dto.js';
import type { KeypairSnapshot } from '../servers/server.entity.js';
import { ServerRepository } from '../servers/server.repository.js';
import { nudgeServers } from '../servers/server.tasks.js';
import { checkVersioned } from '../servers/versioned-properties.js';
import { injectedFilesOf } from '../servers/dto/injected-files.js';
import { bootDeviceOf } from './boot-device.js';
import { newServer } from './new-server.js';

@Injectable()
export class CreateServersService extends ServerCreation {
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
  ) {
    super();
  }

  /** Inserts the rows and nudges, after all checks (Nova API reference, "Create Server"). */
  override async create(
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
    const parts = {
      flavor,
      image,
      tag,
      localDisks,
      keypair,
      injectedFiles,
      reservationId,
      scheduling,
      nic: this.nics.nicColumn(dto),
      sealedPassword: this.seal.seal(adminPassword),
    };
    const wanted = Array.from({ length: count }, (_, index) =>
      newServer(ctx, dto, parts, { index, count }),
    );
    const nics = await this.nics.wanted(ctx, dto, count, wanted[0]);
    return inTransaction(ctx, async (tx) => {
      const claimed = await claimServers(tx, this.quotas, dto, flavor);
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

  async #flavorOf(ctx: RequestContext, ref: string): Promise<Flavor> {
    // Clients may send the flavor's address; its last part is the ID.
    const id = ref.split('/').at(-1) ?? ref;
    const flavor = await this.flavors.findUsable(ctx, id);
    if (!flavor)
      throw new InvalidInputError(`server.flavorRef: ${new FlavorNotFoundError(id).message}`);
    return flavor;
  }

  /** @throws InvalidInputError if the caller has none of this name */
  async #keypairOf(ctx: RequestContext, name: string | undefined): Promise<KeypairSnapshot | null> {
    if (name === undefined) return null;
    const found = await this.keypairs.find(ctx, name);
    if (!found) throw new InvalidInputError(`Invalid key_name provided: ${name}`);
    const { type, publicKey } = found;
    return { name, type, publicKey };
  }

  /** @throws InjectedFileLimitError */
  async #injectedFiles(ctx: RequestContext, dto: CreateServerDto): Promise<InjectedFile[]> {
    const { personality = [] } = dto;
    if (personality.length === 0) return [];
    return injectedFilesOf(personality, await this.quotas.limits(ctx, ctx.projectId));
  }
}

@Feature({
  providers: [CreateServersService, { provide: ServerCreation, useExisting: CreateServersService }],
})
export class ServerCreationModule {}

/** The most servers that a request wants. @throws InvalidInputError if the fewest are more */
export function countOf({ min_count = 1, max_count }: CreateServerDto): number {
  const count = max_count ?? min_count;
  if (min_count > count) {
    throw new InvalidInputError(
      `Invalid input: server.min_count ${min_count} must not be greater than server.max_count ${count}.`,
    );
  }
  return count;
}

/**
 * Claims as many servers as the quotas leave, up to the most that are wanted.
 * @returns how many
 * @throws QuotaExceededError or QuotaExhaustedError if the fewest do not fit
 */
async function claimServers(
  tx: RequestContext,
  quotas: ComputeQuotas,
  dto: CreateServerDto,
  flavor: Flavor,
): Promise<number> {
  const most = countOf(dto);
  const fewest = dto.min_count ?? 1;
  const each = { instances: 1, cores: flavor.vcpus, ram: flavor.memoryMb };
  const claim = (count: number): Promise<void> =>
    quotas.claim(tx, {
      instances: count,
      cores: count * each.cores,
      ram: count * each.ram,
      metadata_items: Object.keys(dto.metadata ?? {}).length,
    });
  try {
    await claim(most);
    return most;
  } catch (error) {
    if (!(error instanceof QuotaExceededError) || fewest === most) throw error;
  }
  // The refused claim holds the quotas' locks, so the rest cannot change.
  const usage = await quotas.usage(tx, tx.projectId);
  const left = (['instances', 'cores', 'ram'] as const)
    .filter((name) => usage[name].limit >= 0)
    .map((name) => Math.floor((usage[name].limit - usage[name].used) / each[name]));
  const count = Math.max(fewest, Math.min(most, ...left));
  await claim(count);
  return count;
}
