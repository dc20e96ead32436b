import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { inTransaction } from '@cumulet/common/database/transaction';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { type Images, IMAGES } from '../../images.port.js';
import { KeypairsService } from '../../keypairs/keypairs.service.js';
import { ComputeQuotas } from '../../quotas/compute-quotas.js';
import { refuseBefore, versionOf } from '../../versions/microversions.js';
import { bootableImage } from '../../servers/bootable-image.js';
import { injectedFilesOf } from '../../servers/dto/injected-files.js';
import type { KeypairSnapshot, Server } from '../../servers/server.entity.js';
import { ServersService } from '../../servers/servers.service.js';
import { refuseTooNew } from '../../servers/versioned-properties.js';
import type { RebuildDto } from './rebuild.dto.js';

@Injectable()
export class RebuildService {
  constructor(
    private readonly servers: ServersService,
    @Inject(IMAGES) private readonly images: Images,
    private readonly keypairs: KeypairsService,
    private readonly quotas: ComputeQuotas,
    private readonly seal: Seal,
  ) {}

  /**
   * Nova API reference, "Rebuild Server (rebuild Action)": the server keeps ID, flavor and ports,
   * and gets a new disk.
   * @returns the administrator's password
   * @throws InvalidInputError, ImageUnusableError, FlavorUnusableError
   */
  async rebuild(ctx: RequestContext, server: Server, dto: RebuildDto): Promise<string> {
    checkVersions(ctx, dto);
    const image = await bootableImage(ctx, this.images, dto.imageRef, server);
    const { name, description, metadata, hostname, user_data: userData } = dto;
    const { accessIPv4: accessIpV4, accessIPv6: accessIpV6, personality } = dto;
    const adminPassword = dto.adminPass ?? randomBytes(9).toString('base64url');
    const given = {
      name,
      description,
      metadata,
      hostname,
      userData,
      accessIpV4,
      accessIpV6,
      diskConfig: dto['OS-DCF:diskConfig'],
      keypair: await this.#keypair(ctx, dto.key_name),
      injectedFiles:
        personality &&
        injectedFilesOf(personality, await this.quotas.limits(ctx, server.projectId)),
    };
    const set = {
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      image,
      imageId: image.id,
      adminPassword: this.seal.seal(adminPassword),
    };
    await inTransaction(ctx, async (tx) => {
      const items = Object.keys(metadata ?? {}).length;
      await this.quotas.claim(tx, { metadata_items: items }, server.projectId);
      await this.servers.change(tx, server, 'rebuild', 'rebuild', { set });
    });
    return adminPassword;
  }

  /** Undefined: unchanged; null: none. */
  async #keypair(
    ctx: RequestContext,
    name: string | null | undefined,
  ): Promise<KeypairSnapshot | null | undefined> {
    if (name == null) return name;
    const found = await this.keypairs.find(ctx, name);
    if (!found) throw new InvalidInputError('Invalid key_name provided.');
    const { type, publicKey } = found;
    return { name, type, publicKey };
  }
}

function checkVersions(ctx: RequestContext, dto: RebuildDto): void {
  refuseTooNew(ctx, dto, 'rebuild');
  if (dto.key_name !== undefined) refuseBefore(ctx, 54, 'rebuild.key_name');
  if (dto.user_data !== undefined) refuseBefore(ctx, 57, 'rebuild.user_data');
  const version = versionOf(ctx);
  if (dto.personality !== undefined && version.atLeast(57))
    throw new InvalidInputError(
      `Invalid input: rebuild.personality ended with microversion 2.56; the request is for ${version.toString()}. Use rebuild.user_data.`,
    );
  if (dto.preserve_ephemeral)
    throw new InvalidInputError(
      'Invalid input: rebuild.preserve_ephemeral cannot be true: a rebuild creates all disks anew.',
    );
}
