import { Inject, Injectable } from '@nestjs/common';
import { asCaller } from '@cumulet/clients/http/actor';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import type { Flavor } from '../../flavors/flavor.entity.js';
import { FlavorNotFoundError } from '../../flavors/flavor.errors.js';
import { FlavorsService } from '../../flavors/flavors.service.js';
import { type Images, IMAGES } from '../../images.port.js';
import { ComputeQuotas } from '../../quotas/compute-quotas.js';
import { beginMigration } from '../../server-migrations/begin-migration.js';
import { checkFlavor } from '../bootable-image.js';
import type { Server } from '../server.entity.js';
import { ServerRepository } from '../server.repository.js';
import { ServersService } from '../servers.service.js';
import { ServerResizes } from './server-resizes.js';

@Injectable()
export class ResizeService {
  constructor(
    private readonly flavors: FlavorsService,
    private readonly servers: ServersService,
    private readonly rows: ServerRepository,
    private readonly resizes: ServerResizes,
    private readonly quotas: ComputeQuotas,
    @Inject(IMAGES) private readonly images: Images,
  ) {}

  /**
   * Nova API reference, "Resize Server (resize Action)". What the flavor takes more than the server
   * has is claimed of the quota now, and of the host by the reconciler.
   * @throws InvalidInputError for a flavor that the server cannot have
   */
  async resize(
    ctx: RequestContext,
    server: Server,
    flavorRef: string,
    diskConfig = server.diskConfig,
  ): Promise<void> {
    const flavor = await this.#flavorFor(ctx, server, flavorRef);
    const image = await this.images.find(asCaller(ctx), server.imageId);
    if (image) checkFlavor(flavor, image);
    await inTransaction(ctx, async (tx) => {
      const more = {
        cores: Math.max(0, flavor.vcpus - server.vcpus),
        ram: Math.max(0, flavor.memoryMb - server.memoryMb),
      };
      await this.quotas.claim(tx, more, server.projectId);
      const { state } = await this.rows.lock(tx, server.id);
      await this.servers.change(tx, server, 'resize', 'resize', {
        set: { diskConfig, returnsTo: state === 'stopped' ? 'stopped' : 'active' },
      });
      await beginMigration(tx, server, {
        ...{ type: 'resize', status: 'pre-migrating', flavorId: flavor.id },
      });
      await this.resizes.begin(tx, server.id, flavor);
    });
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
    if (flavor.ephemeralGb + flavor.swapMb > 0 || server.localDisks.length > 0)
      throw new InvalidInputError(
        `resize.flavorRef: no server is resized from or to a flavor with an ephemeral or a swap disk, as of ${server.flavor.name} and ${flavor.name} one has.`,
      );
    return flavor;
  }
}
