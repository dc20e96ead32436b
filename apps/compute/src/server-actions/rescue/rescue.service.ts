import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Seal } from '@cumulet/common/crypto/seal';
import { type Images, IMAGES } from '../../images.port.js';
import { bootableImage, originalImage } from '../../servers/bootable-image.js';
import { machineOf } from '../../servers/hardware/hardware-properties.js';
import { rescueDeviceOf } from '../../servers/hardware/rescue-device.js';
import type { Server } from '../../servers/server.entity.js';
import { ServersService } from '../../servers/servers.service.js';

interface RescueRequest {
  readonly adminPass?: string;
  readonly rescue_image_ref?: string;
}

@Injectable()
export class RescueService {
  constructor(
    private readonly servers: ServersService,
    @Inject(IMAGES) private readonly images: Images,
    private readonly seal: Seal,
  ) {}

  /**
   * Nova API reference, "Rescue Server (rescue Action)": the server boots the image, with its own
   * disk as the second unless the image says otherwise ("Stable device rescue").
   * @returns the administrator's password there
   * @throws ImageUnusableError
   * @throws InvalidInputError for an image that requires an impossible place for its disk
   */
  async rescue(ctx: RequestContext, server: Server, request: RescueRequest): Promise<string> {
    const { rescue_image_ref: imageId, adminPass } = request;
    // A rescue disk is as large as its image, whatever the flavor.
    const sizes = { memoryMb: server.memoryMb, diskGb: 0 };
    const rescueImage =
      imageId === undefined
        ? await originalImage(ctx, this.images, server, sizes)
        : await bootableImage(ctx, this.images, imageId, sizes);
    rescueDeviceOf(rescueImage.properties ?? {}, machineOf(server.image.properties ?? {}));
    const adminPassword = adminPass ?? randomBytes(9).toString('base64url');
    const set = { rescueImage, adminPassword: this.seal.seal(adminPassword) };
    await this.servers.change(ctx, server, 'rescue', 'rescue', { set });
    return adminPassword;
  }
}
