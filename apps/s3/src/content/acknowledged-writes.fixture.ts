/**
 * Many concurrent writes, of which the test records the acknowledged ones, even if the service crashes.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';

export const BUCKET = 'bucket';

/** Stands for a key without an object. */
const NOTHING = 'nothing';

/** In the row, in the store, and of several chunks. */
const SIZES = [0, 1_000, 16_384, 20_000, 100_000, 400_000];

/** A client's own keys, each of which is written again and again. */
const KEYS = 40;

/** The allowed contents of a key: its last acknowledged bytes, or those of an unanswered write. */
export class AcknowledgedWrites {
  readonly #possible = new Map<string, Set<string>>();
  acknowledged = 0;

  /**
   * Keys of a client's own are put, overwritten or deleted, one after another.
   * @returns what the first write failed with that did; undefined if all were acknowledged
   */
  async write(client: S3Client, who: number, writes: number): Promise<unknown> {
    for (let count = 0; count < writes; count += 1) {
      const at = { Bucket: BUCKET, Key: `${who}/${count % KEYS}` };
      const bytes = randomBytes(SIZES[count % SIZES.length] ?? 0);
      const isDelete = count % 11 === 10;
      const hash = isDelete ? NOTHING : hashOf(bytes);
      this.possible(at.Key).add(hash);
      try {
        if (isDelete) await client.send(new DeleteObjectCommand(at));
        else await client.send(new PutObjectCommand({ ...at, Body: bytes }));
      } catch (error) {
        return error;
      }
      this.#possible.set(at.Key, new Set([hash]));
      this.acknowledged += 1;
    }
    return undefined;
  }

  /** Hashes that `foundAt` may give for the key. */
  possible(key: string): Set<string> {
    const known = this.#possible.get(key) ?? new Set([NOTHING]);
    this.#possible.set(key, known);
    return known;
  }

  keys(): string[] {
    return [...this.#possible.keys()];
  }
}

/** @returns the hash of the object's bytes, or NOTHING */
export async function foundAt(client: S3Client, Key: string): Promise<string> {
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
    return hashOf((await Body?.transformToByteArray()) ?? Buffer.alloc(0));
  } catch (error) {
    if ((error as Error).name === 'NoSuchKey') return NOTHING;
    throw error;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
