import { Inject, Injectable } from '@nestjs/common';
import { asCaller } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { SweepEvery } from '@cumulet/common/service/background';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { Flavor } from '../../flavors/flavor.resource.js';
import { FlavorNotFoundError } from '../../flavors/flavor.errors.js';
import { FlavorsService } from '../../flavors/flavors.service.js';
import { type Images, IMAGES } from '../../images.port.js';
import { ComputeQuotas } from '../../quotas/compute-quotas.js';
import { HostRepository } from '../../hosts/host.repository.js';
import { beginMigration } from '../../server-migrations/begin-migration.js';
import { checkFlavor } from '../../servers/bootable-image.js';
import type { Server } from '../../servers/server.entity.js';
import { ServerRepository } from '../../servers/server.repository.js';
import { moveUnlessSuperseded, ServersService } from '../../servers/servers.service.js';
import { HostDownError } from '../../servers/server.errors.js';
import { ServerResizes } from '../../server-plans/server-resizes.js';
import type { ComputeConfig } from '../../config.js';
import { resizedDisks } from './local-disk-resize.js';

@Injectable()
export class ResizeService {
  constructor(
    private readonly flavors: FlavorsService,
    private readonly servers: ServersService,
    private readonly rows: ServerRepository,
    private readonly resizes: ServerResizes,
    private readonly hosts: HostRepository,
    private readonly quotas: ComputeQuotas,
    @Inject(IMAGES) private readonly images: Images,
  ) {}

  /**
   * Nova API reference, "Resize Server (resize Action)". Growth is claimed from the quota now, and
   * from the host by the reconciler.
   * @throws InvalidInputError for a flavor that the server cannot have
   */
  async resize(
    ctx: RequestContext,
    server: Server,
    flavorRef: string,
    diskConfig = server.diskConfig,
  ): Promise<void> {
    const flavor = await this.#flavorFor(ctx, server, flavorRef);
    const localDisks = resizedDisks(server, flavor);
    const image = await this.images.find(asCaller(ctx), server.imageId);
    if (image) checkFlavor(flavor, image);
    await inTransaction(ctx, async (tx) => {
      const more = {
        cores: Math.max(0, flavor.vcpus - server.vcpus),
        ram: Math.max(0, flavor.memoryMb - server.memoryMb),
      };
      await this.quotas.claim(tx, more, server.projectId);
      await this.#begin(tx, server, 'resize', { diskConfig });
      await beginMigration(tx, server, {
        type: 'resize',
        status: 'pre-migrating',
        flavorId: flavor.id,
      });
      const { vcpus, memoryMb, diskGb, id, name, extraSpecs, ephemeralGb, swapMb } = flavor;
      await this.resizes.begin(tx, server, {
        vcpus,
        memoryMb,
        diskGb,
        localDisks,
        flavor: { id, name, extraSpecs, ephemeralGb, swapMb },
      });
    });
  }

  /**
   * Nova API reference, "Migrate Server (migrate Action)": a resize to the same flavor on another
   * host.
   * @param host requested; by default the scheduler chooses
   * @throws InvalidInputError if it does not exist, or is the server's own
   * @throws HostDownError if the server's own host is down
   */
  async migrate(ctx: RequestContext, server: Server, host: string | undefined): Promise<void> {
    if (host !== undefined && !(await this.hosts.find(ctx, host)))
      throw new InvalidInputError(`Compute host ${host} could not be found.`);
    if (host !== undefined && host === server.host)
      throw new InvalidInputError('Cannot migrate to the host where the server exists.');
    await inTransaction(ctx, async (tx) => {
      await this.#begin(tx, server, 'migrate', {});
      await beginMigration(tx, server, { type: 'migration', status: 'pre-migrating' });
      const { flavor, vcpus, memoryMb, diskGb, localDisks } = server;
      await this.resizes.begin(tx, server, {
        flavor,
        vcpus,
        memoryMb,
        diskGb,
        localDisks,
        goesTo: host ?? null,
        mustLeave: true,
      });
    });
  }

  /** @throws HostDownError if the server's host cannot do its part */
  async #begin(
    tx: RequestContext,
    server: Server,
    action: 'resize' | 'migrate',
    set: Partial<Pick<Server, 'diskConfig'>>,
  ): Promise<void> {
    const { state, host } = await this.rows.lock(tx, server.id);
    const returnsTo = state === 'stopped' ? 'stopped' : 'active';
    await this.servers.change(tx, server, 'resize', action, { set: { ...set, returnsTo } });
    if (host !== null && !(await this.hosts.isUp(tx, host))) throw new HostDownError();
  }

  async #flavorFor(ctx: RequestContext, server: Server, ref: string): Promise<Flavor> {
    const id = ref.split('/').at(-1) ?? ref;
    const flavor = await this.flavors.findUsable(ctx, id);
    if (!flavor) throw new InvalidInputError(new FlavorNotFoundError(id).message);
    if (flavor.id === server.flavor.id)
      throw new InvalidInputError('When resizing, instances must change flavor!');
    if (flavor.diskGb < server.diskGb) {
      const why =
        flavor.diskGb === 0
          ? 'Resize to zero disk flavor is not allowed.'
          : `Unable to resize disk down, from ${server.diskGb} GB to ${flavor.diskGb} GB.`;
      throw new InvalidInputError(`Server disk was unable to be resized because: ${why}`);
    }
    return flavor;
  }
}

/** Confirms resizes after the time that Nova's `resize_confirm_window` allows. */
const MAX_ROWS = 100;

@Injectable()
export class ResizeConfirmationSweep {
  constructor(
    private readonly servers: ServerRepository,
    @Inject(CONFIG) private readonly config: ComputeConfig,
  ) {}

  @SweepEvery(5_000, 'resize-confirmation')
  async run(ctx: RequestContext): Promise<void> {
    const { resizeConfirmSeconds } = this.config;
    if (resizeConfirmSeconds === 0) return;
    const rows = await this.servers.inStateFor(ctx, 'resized', resizeConfirmSeconds, MAX_ROWS);
    for (const server of rows)
      await moveUnlessSuperseded(ctx, server, 'confirm-resize', 'confirmResize');
  }
}
