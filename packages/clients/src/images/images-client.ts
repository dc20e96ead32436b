/** The images service, as its sisters use it. Public source: Glance API reference, "Images". */
import type { Readable } from 'node:stream';
import type { Actor } from '../http/actor.js';
import type { Credentials } from '../http/credentials.js';
import { SisterClient } from '../http/service-client.js';

export interface ImagesClientOptions {
  /** Without /v2. */
  readonly imagesUrl: string;
  readonly credentials: Credentials;
}

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
  /** Its custom properties. */
  readonly properties: Readonly<Record<string, string>>;
}

export interface NewImage {
  /** A UUID chosen by the client, so that it knows the image beforehand. */
  readonly id: string;
  readonly name: string;
  /** The ID of a project. */
  readonly owner: string;
  readonly visibility: 'private' | 'shared';
  readonly diskFormat: string;
  readonly containerFormat: string;
  readonly minDiskGb: number;
  readonly minMemoryMb: number;
  readonly properties: Readonly<Record<string, string>>;
}

export interface ImageData {
  readonly sizeBytes: number;
  readonly data: Readable;
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

const IMAGES = '/v2/images';

export class ImagesClient extends SisterClient {
  constructor({ imagesUrl: baseUrl, credentials }: ImagesClientOptions) {
    super({ service: 'images', baseUrl, credentials });
  }

  /** An image as the actor sees it; undefined if it sees none. */
  async find(actor: Actor, id: string): Promise<Image | undefined> {
    const found = await this.client.find({ actor, path: imagePath(id) });
    return found && fromWire(found.body as WireImage);
  }

  /** The images of this name that the actor sees, the newest first. */
  async named(actor: Actor, name: string): Promise<Image[]> {
    const query = { name, sort: 'created_at:desc', limit: 1_000 };
    const { body } = await this.client.send({ actor, path: IMAGES, query });
    return (body as { images: readonly WireImage[] }).images.map(fromWire);
  }

  /** The image's bytes. Must be read to its end or destroyed. */
  async download(actor: Actor, id: string): Promise<Readable> {
    return (await this.client.open({ actor, path: `${imagePath(id)}/file` })).body;
  }

  /**
   * Creates an image without data; idempotent.
   * @throws ServiceRefusedError if the ID is in use, or the quota does not allow it
   */
  async create(actor: Actor, image: NewImage): Promise<void> {
    const json = {
      ...image.properties,
      id: image.id,
      name: image.name,
      owner: image.owner,
      visibility: image.visibility,
      disk_format: image.diskFormat,
      container_format: image.containerFormat,
      min_disk: image.minDiskGb,
      min_ram: image.minMemoryMb,
    };
    const idempotencyKey = `image-${image.id}`;
    await this.client.create({ actor, path: IMAGES, json, idempotencyKey });
  }

  /**
   * Uploads the data of an image, which is active afterwards.
   * @throws ServiceRefusedError if it has data already, or was deleted
   */
  async upload(
    actor: Actor,
    id: string,
    { data, sizeBytes }: ImageData,
    signal: AbortSignal,
  ): Promise<void> {
    const headers = {
      'content-type': 'application/octet-stream',
      'content-length': String(sizeBytes),
    };
    const path = `${imagePath(id)}/file`;
    await this.client.send({ actor, method: 'PUT', path, headers, stream: data, signal });
  }

  /** An absent one is not an error. */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.client.find({ actor, method: 'DELETE', path: imagePath(id) });
  }

  /** The ids of a project's active images with these custom properties, the newest first. */
  async withProperties(
    actor: Actor,
    owner: string,
    properties: Readonly<Record<string, string>>,
  ): Promise<string[]> {
    const query = { ...properties, owner, status: 'active', sort: 'created_at:desc', limit: 1_000 };
    const { body } = await this.client.send({ actor, path: IMAGES, query });
    return (body as { images: readonly WireImage[] }).images.map(({ id }) => id);
  }
}

function imagePath(id: string): string {
  return `${IMAGES}/${encodeURIComponent(id)}`;
}

/** Attributes that are not custom properties. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  'id',
  'name',
  'status',
  'visibility',
  'protected',
  'os_hidden',
  'owner',
  'tags',
  'size',
  'virtual_size',
  'disk_format',
  'container_format',
  'min_disk',
  'min_ram',
  'checksum',
  'os_hash_algo',
  'os_hash_value',
  'created_at',
  'updated_at',
  'self',
  'file',
  'schema',
  'locations',
  'direct_url',
  'stores',
]);

function propertiesOf(image: object): Record<string, string> {
  const own = Object.entries(image).filter(
    (entry): entry is [string, string] => !ATTRIBUTES.has(entry[0]) && typeof entry[1] === 'string',
  );
  return Object.fromEntries(own);
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
