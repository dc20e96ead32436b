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
   * Nova API reference, "Evacuate Server (evacuate Action)": a server of a host that is down is built
   * from its image on another one. What its host has of it is removed once that is back.
   * @returns the password of its administrator
   * @throws InvalidInputError where the host is up, or is the one that is asked for
   * @throws ComputeHostNotFoundError where there is no such host
   * @throws ImageUnusableError where its image is needed again, and gone
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
      // Since 2.95 it is for its owner to start it.
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
