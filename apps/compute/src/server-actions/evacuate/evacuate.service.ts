import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { ComputeHostNotFoundError } from '../../hosts/host.errors.js';
import { HostRepository } from '../../hosts/host.repository.js';
import { leaveGuestBehind } from '../../server-migrations/leftover-guests.js';
import { Placement } from '../../scheduler/placement.js';
import { beginMigration } from '../../server-migrations/begin-migration.js';
import { versionOf } from '../../versions/microversions.js';
import { type Images, IMAGES } from '../../images.port.js';
import { originalImage } from '../../servers/bootable-image.js';
import type { Server } from '../../servers/server.entity.js';
import { ServersService } from '../../servers/servers.service.js';

interface EvacuateRequest {
  readonly host?: string;
  readonly adminPass?: string;
}

@Injectable()
export class EvacuateService {
  constructor(
    private readonly servers: ServersService,
    private readonly hosts: HostRepository,
    private readonly placement: Placement,
    private readonly seal: Seal,
    @Inject(IMAGES) private readonly images: Images,
  ) {}

  /**
   * Rebuilds a server of a host that is down from its image on another host, by Nova API reference,
   * "Evacuate Server (evacuate Action)". The old host removes its guest when it is back.
   * @returns the administrator's password
   * @throws InvalidInputError if the host is up, or is the requested one
   * @throws ComputeHostNotFoundError for an unknown host
   * @throws ImageUnusableError if the image is needed again, and gone
   * @throws NoValidHostError
   */
  async evacuate(ctx: RequestContext, server: Server, request: EvacuateRequest): Promise<string> {
    const { host: from } = server;
    const { host: to, adminPass } = request;
    if (to !== undefined && !(await this.hosts.find(ctx, to)))
      throw new ComputeHostNotFoundError(to);
    if (to !== undefined && to === from)
      throw new InvalidInputError("The target host can't be the same one.");
    if (from !== null && (await this.placement.isUp(ctx, from)))
      throw new InvalidInputError(`Compute service of ${from} is still in use.`);
    const adminPassword = adminPass ?? randomBytes(9).toString('base64url');
    const image = await originalImage(ctx, this.images, server, server);
    await inTransaction(ctx, async (tx) => {
      const excluded = from === null ? [] : [from];
      const host = await this.placement.choose(tx, server, { excluded, host: to });
      // Since 2.95 its owner starts it.
      const returnsTo = versionOf(ctx).atLeast(95) ? ('stopped' as const) : null;
      const set = { host, image, returnsTo, adminPassword: this.seal.seal(adminPassword) };
      const only = { host: from };
      await this.servers.change(tx, server, 'evacuate', 'evacuate', { only, set });
      await beginMigration(tx, server, { type: 'evacuation', status: 'accepted', host });
      if (from !== null) await leaveGuestBehind(tx, from, server.id);
    });
    return adminPassword;
  }
}
