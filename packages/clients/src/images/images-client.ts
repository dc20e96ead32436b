/** The images service, as its sisters use it. Public source: Glance API reference, "Images". */
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ServiceClient } from '../http/service-client.js';
import type { ServiceTokenSource } from '../identity/service-token-source.js';

export interface ImagesClientOptions {
  /** The images service's address, without /v2. */
  readonly imagesUrl: string;
  readonly tokens: ServiceTokenSource;
}

/** What sister services read of an image. */
export interface Image {
  readonly id: string;
  readonly status: string;
  readonly diskFormat: string | undefined;
  readonly sizeBytes: number | undefined;
  readonly sha512: string | undefined;
  readonly minDiskGb: number;
  readonly minMemoryMb: number;
  readonly kernelId: string | undefined;
  readonly ramdiskId: string | undefined;
}

interface WireImage {
  readonly id: string;
  readonly status: string;
  readonly disk_format: string | null;
  readonly size: number | null;
  readonly os_hash_algo: string | null;
  readonly os_hash_value: string | null;
  readonly min_disk: number;
  readonly min_ram: number;
  readonly kernel_id?: string;
  readonly ramdisk_id?: string;
}

export class ImagesClient implements OnApplicationShutdown {
  readonly #client: ServiceClient;
  readonly #tokens: ServiceTokenSource;

  constructor({ imagesUrl, tokens }: ImagesClientOptions) {
    this.#client = new ServiceClient({ service: 'images', baseUrl: imagesUrl });
    this.#tokens = tokens;
  }

  /** An image as the caller's own token sees it; undefined if it sees none. */
  async find(ctx: RequestContext, id: string): Promise<Image | undefined> {
    const path = `/v2/images/${encodeURIComponent(id)}`;
    const { token, delegation } = ctx.fields;
    // Access rules limit what a client may ask for, not what serving it takes.
    const isRuled = delegation?.kind === 'application-credential' && delegation.accessRules;
    const serviceToken = isRuled ? await this.#tokens.token() : undefined;
    const found = await this.#client.find({ path, token, serviceToken, ctx });
    return found && fromWire(found.body as WireImage);
  }

  /** The image's bytes, with the service's own token. Must be read to its end or destroyed. */
  async download(ctx: RequestContext, id: string): Promise<Readable> {
    const { body } = await this.#client.open({
      path: `/v2/images/${encodeURIComponent(id)}/file`,
      token: await this.#tokens.token(),
      ctx,
    });
    return body;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}

function fromWire(image: WireImage): Image {
  return {
    id: image.id,
    status: image.status,
    diskFormat: image.disk_format ?? undefined,
    sizeBytes: image.size ?? undefined,
    sha512: image.os_hash_algo === 'sha512' ? (image.os_hash_value ?? undefined) : undefined,
    minDiskGb: image.min_disk,
    minMemoryMb: image.min_ram,
    kernelId: image.kernel_id || undefined,
    ramdiskId: image.ramdisk_id || undefined,
  };
}
