import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Actor } from '@cumulet/clients/http/actor';
import {
  ServiceRefusedError,
  ServiceUnavailableError,
} from '@cumulet/clients/http/service-client-errors';
import { buffer } from 'node:stream/consumers';
import type { ImageData, NewImage } from '@cumulet/clients/images/images-client';
import type { Image, Images } from './images.port.js';

/** A raw disk of one sector that a BIOS would boot. */
const BOOT_SECTOR = Buffer.alloc(512);
BOOT_SECTOR.writeUInt16LE(0xaa55, 510);

/** A fake images service: facts and bytes by ID. */
export class FakeImages implements Images {
  readonly #images = new Map<string, { facts: Image; bytes: Buffer }>();
  /** Requests with their caller: `find as caller`. */
  readonly asked: string[] = [];
  /** Answers 503 only. */
  isAway = false;
  /** Errors of the next downloads, one each. */
  readonly failures: Error[] = [];
  /** The ID of a bootable image. */
  readonly bootable = this.add({});

  add(facts: Partial<Image>, bytes: Buffer = BOOT_SECTOR): string {
    const id = facts.id ?? randomUUID();
    const sha512 = createHash('sha512').update(bytes).digest('hex');
    const defaults: Image = {
      id,
      status: 'active',
      diskFormat: 'raw',
      sizeBytes: bytes.length,
      sha512,
      minDiskGb: 0,
      minMemoryMb: 0,
      kernelId: undefined,
      ramdiskId: undefined,
      properties: {},
    };
    this.#images.set(id, { facts: { ...defaults, ...facts }, bytes });
    return id;
  }

  /** Undefined for one that is gone. */
  statusOf(id: string): string | undefined {
    return this.#images.get(id)?.facts.status;
  }

  remove(id: string): void {
    this.#images.delete(id);
  }

  find({ as }: Actor, id: string): Promise<Image | undefined> {
    this.asked.push(`find as ${as}`);
    return this.isAway ? Promise.reject(away()) : Promise.resolve(this.#images.get(id)?.facts);
  }

  async download({ as }: Actor, id: string): Promise<Readable> {
    this.asked.push(`download as ${as}`);
    const failure = this.isAway ? away() : this.failures.shift();
    if (failure) throw failure;
    const image = this.#images.get(id);
    if (!image) throw new ServiceRefusedError('images', 404, `No image found with ID ${id}.`);
    return Promise.resolve(Readable.from([image.bytes]));
  }

  /** Images from `create`, by ID, with their input. */
  readonly made = new Map<string, NewImage>();

  create(actor: Actor, image: NewImage): Promise<void> {
    this.#begin('create', actor);
    const { id, diskFormat, minDiskGb, minMemoryMb, properties } = image;
    if (!this.made.has(id)) {
      this.made.set(id, image);
      this.add(
        {
          id,
          status: 'queued',
          diskFormat,
          minDiskGb,
          minMemoryMb,
          properties,
          sizeBytes: undefined,
          sha512: undefined,
        },
        Buffer.alloc(0),
      );
    }
    return Promise.resolve();
  }

  async upload(actor: Actor, id: string, { data, sizeBytes }: ImageData): Promise<void> {
    const bytes = await buffer(data);
    this.#begin('upload', actor);
    const image = this.#images.get(id);
    if (!image) throw new ServiceRefusedError('images', 404, `No image found with ID ${id}.`);
    if (bytes.length !== sizeBytes) throw new Error('the upload has another length than it says');
    const sha512 = createHash('sha512').update(bytes).digest('hex');
    this.add({ ...image.facts, status: 'active', sizeBytes, sha512 }, bytes);
  }

  delete(actor: Actor, id: string): Promise<void> {
    this.#begin('delete', actor);
    this.#images.delete(id);
    return Promise.resolve();
  }

  withProperties(
    actor: Actor,
    owner: string,
    properties: Readonly<Record<string, string>>,
  ): Promise<string[]> {
    this.#begin('withProperties', actor);
    const found = [...this.#images.values()].filter(
      ({ facts }) =>
        facts.status === 'active' &&
        this.made.get(facts.id)?.owner === owner &&
        Object.entries(properties).every(([name, value]) => facts.properties[name] === value),
    );
    return Promise.resolve(found.map(({ facts }) => facts.id).reverse());
  }

  /** Errors of the next calls of each of these, one each. */
  readonly failing: Record<'create' | 'upload' | 'delete' | 'withProperties', Error[]> = {
    create: [],
    upload: [],
    delete: [],
    withProperties: [],
  };

  #begin(method: keyof FakeImages['failing'], { as }: Actor): void {
    this.asked.push(`${method} as ${as}`);
    const failure = this.isAway ? away() : this.failing[method].shift();
    if (failure) throw failure;
  }
}

function away(): Error {
  return new ServiceUnavailableError('images', 'status 503');
}
