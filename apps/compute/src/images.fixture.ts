import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Actor } from '@cumulet/clients/http/actor';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { Image, Images } from './images.port.js';

/** A raw disk of one sector that a BIOS would boot. */
const BOOT_SECTOR = Buffer.alloc(512);
BOOT_SECTOR.writeUInt16LE(0xaa55, 510);

/** The images service of a test: facts and bytes by id. */
export class FakeImages implements Images {
  readonly #images = new Map<string, { facts: Image; bytes: Buffer }>();
  /** What was asked of it, and as whom: `find as caller`. */
  readonly asked: string[] = [];
  /** What the next downloads fail with, one each. */
  readonly failures: Error[] = [];
  /** The id of an image that boots. */
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
    };
    this.#images.set(id, { facts: { ...defaults, ...facts }, bytes });
    return id;
  }

  /** As its owner deletes it. */
  remove(id: string): void {
    this.#images.delete(id);
  }

  find({ as }: Actor, id: string): Promise<Image | undefined> {
    this.asked.push(`find as ${as}`);
    return Promise.resolve(this.#images.get(id)?.facts);
  }

  async download({ as }: Actor, id: string): Promise<Readable> {
    this.asked.push(`download as ${as}`);
    const failure = this.failures.shift();
    if (failure) throw failure;
    const image = this.#images.get(id);
    if (!image) throw new ServiceRefusedError('images', 404, `No image found with ID ${id}.`);
    return Promise.resolve(Readable.from([image.bytes]));
  }
}
