import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { Image, Images } from './images.port.js';

/** A raw disk of one sector that a BIOS would boot. */
const BOOT_SECTOR = Buffer.alloc(512);
BOOT_SECTOR.writeUInt16LE(0xaa55, 510);

/** The images service of a test: facts and bytes by id. */
export class FakeImages implements Images {
  readonly #images = new Map<string, { facts: Image; bytes: Buffer }>();
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

  find(_ctx: unknown, id: string): Promise<Image | undefined> {
    return Promise.resolve(this.#images.get(id)?.facts);
  }

  async download(_ctx: unknown, id: string): Promise<Readable> {
    const image = this.#images.get(id);
    if (!image) throw new ServiceRefusedError('images', 404, `No image found with ID ${id}.`);
    return Promise.resolve(Readable.from([image.bytes]));
  }
}
