/** The images service, as its sisters use it. Public source: Glance API reference, "Images". */
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { Actor } from '../http/actor.js';
import type { Credentials } from '../http/credentials.js';
import { ServiceClient } from '../http/service-client.js';

export interface ImagesClientOptions {
  /** The images service's address, without /v2. */
  readonly imagesUrl: string;
  readonly credentials: Credentials;
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
  /** Its properties for guests and schedulers: `hw_…`, `img_…` and `os_…`. */
  readonly properties?: Readonly<Record<string, string>>;
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

  constructor({ imagesUrl: baseUrl, credentials }: ImagesClientOptions) {
    this.#client = new ServiceClient({ service: 'images', baseUrl, credentials });
  }

  /** An image as the actor sees it; undefined if it sees none. */
  async find(actor: Actor, id: string): Promise<Image | undefined> {
    const path = `/v2/images/${encodeURIComponent(id)}`;
    const found = await this.#client.find({ actor, path });
    return found && fromWire(found.body as WireImage);
  }

  /** The image's bytes. Must be read to its end or destroyed. */
  async download(actor: Actor, id: string): Promise<Readable> {
    const path = `/v2/images/${encodeURIComponent(id)}/file`;
    return (await this.#client.open({ actor, path })).body;
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
    properties: propertiesOf(image),
  };
}

/** What the images service says with `os_` of its own. */
const OWN = ['os_hash_algo', 'os_hash_value', 'os_hidden'];

function propertiesOf(image: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(image).filter(
      ([name, value]) =>
        /^(hw|img|os)_/.test(name) && !OWN.includes(name) && typeof value === 'string',
    ),
  );
}
