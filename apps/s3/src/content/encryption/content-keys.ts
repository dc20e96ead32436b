/**
 * The keys that contents are encrypted with: made, sealed, and opened again; and the encryption, by
 * AES-256-GCM over frames of 64 KiB, each with its own authentication tag, so that a part of a content
 * is read without the rest. A frame's nonce has its index and whether it is the last, so none can be
 * left out, moved or cut off unnoticed; a key is used for one content alone.
 *
 * Always holds: what is stored of a key opens only with the service's secret key, or with the one
 * that its client sends.
 */
import { createHmac, randomBytes, createCipheriv, createDecipheriv } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { decrypt, encrypt } from '@cumulet/common/crypto/aes-gcm';
import { SealingKeys } from '@cumulet/common/crypto/sealing-keys';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { S3Config } from '../../config.js';
import { S3Error } from '../../http/s3-error.js';
import type { CustomerKey, Encryption, EncryptionRequest } from './encryption.js';

export interface NewKey {
  readonly key: Buffer;
  readonly encryption: Encryption;
}

const KEY_BYTES = 32;
const SERVICE_KEY = 'SSE-S3';

@Injectable()
export class ContentKeys {
  readonly #secrets: readonly [string, ...string[]];

  constructor(@Inject(CONFIG) { secretKey, oldSecretKeys = [] }: S3Config) {
    this.#secrets = [secretKey, ...oldSecretKeys];
  }

  make(request: EncryptionRequest): NewKey {
    const key = randomBytes(KEY_BYTES);
    if (request.kind === 'SSE-C') {
      const { key: under, md5: keyMd5 } = request.key;
      const sealedKey = encrypt(under, key).toString('base64');
      return { key, encryption: { kind: 'SSE-C', keyMd5, sealedKey } };
    }
    const { keyId, sealed } = this.#keysOf(request).seal(key, request.kind);
    const sealedKey = `${keyId}.${sealed.toString('base64')}`;
    return { key, encryption: { ...request, sealedKey } };
  }

  /**
   * @param given if the method is SSE-C
   * @throws S3Error AccessDenied for another key than that of the client
   */
  open(encryption: Encryption, given: CustomerKey | undefined): Buffer {
    const { sealedKey } = encryption;
    if (sealedKey === null) throw new Error('encrypted bytes have no key');
    if (encryption.kind !== 'SSE-C') {
      const [keyId = '', sealed = ''] = sealedKey.split('.');
      const bytes = Buffer.from(sealed, 'base64');
      return this.#keysOf(encryption).open({ keyId, sealed: bytes }, encryption.kind);
    }
    if (!given) throw new Error('encrypted bytes are read without the key of their client');
    try {
      return decrypt(given.key, Buffer.from(sealedKey, 'base64'));
    } catch (cause) {
      throw new S3Error('AccessDenied', { cause });
    }
  }

  /** Keys of names are derived, so nothing is stored for them. */
  #keysOf(
    method: { readonly kind: 'SSE-S3' } | { readonly kind: 'SSE-KMS'; readonly keyId: string },
  ) {
    const purpose = method.kind === 'SSE-KMS' ? `SSE-KMS:${method.keyId}` : SERVICE_KEY;
    const [first, ...others] = this.#secrets;
    const derived = (secret: string): string =>
      createHmac('sha256', secret).update(`cumulet:s3:${purpose}`).digest('hex');
    return new SealingKeys([derived(first), ...others.map(derived)]);
  }
}

export const FRAME_BYTES = 64 * 1024;
export const TAG_BYTES = 16;
const STORED_FRAME_BYTES = FRAME_BYTES + TAG_BYTES;

interface Range {
  readonly first: number;
  readonly last: number;
}

/** The stored bytes that contain a range, and where it begins in them once decrypted. */
interface FrameRange {
  readonly index: number;
  /** Positions in what is stored, inclusive. */
  readonly stored: Range;
  /** Bytes before the range in the first frame. */
  readonly skip: number;
  readonly length: number;
}

/** The index of the last frame. @param size in bytes before they are encrypted, at least 1 */
function lastFrameOf(size: number): number {
  return Math.ceil(size / FRAME_BYTES) - 1;
}

/** @param size in bytes before they are encrypted. @returns bytes that are stored */
export function storedSizeOf(size: number): number {
  return size === 0 ? 0 : size + TAG_BYTES * (lastFrameOf(size) + 1);
}

export function framesOf({ first, last }: Range, size: number): FrameRange {
  const index = Math.floor(first / FRAME_BYTES);
  const end = Math.floor(last / FRAME_BYTES);
  return {
    index,
    stored: {
      first: index * STORED_FRAME_BYTES,
      last: Math.min((end + 1) * STORED_FRAME_BYTES, storedSizeOf(size)) - 1,
    },
    skip: first - index * FRAME_BYTES,
    length: last - first + 1,
  };
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

/** @param key 32 random bytes that nothing else is encrypted with */
export async function* encrypted(key: Buffer, data: Chunks): AsyncIterable<Buffer> {
  let index = 0;
  let waiting: Buffer | undefined;
  // A frame is sealed once another follows, when it is known not to be the last.
  for await (const frame of pieces(data, FRAME_BYTES)) {
    if (waiting) yield seal(key, waiting, index++, false);
    waiting = frame;
  }
  if (waiting) yield seal(key, waiting, index, true);
}

/**
 * @param data the frames of this range, as they are stored
 * @param size bytes of the whole content before they were encrypted
 * @throws Error for bytes that are not those that were encrypted with this key
 */
export async function* decrypted(
  key: Buffer,
  data: AsyncIterable<Buffer>,
  { index: from, skip, length }: FrameRange,
  size: number,
): AsyncIterable<Buffer> {
  const last = lastFrameOf(size);
  let index = from;
  let before = skip;
  let left = length;
  for await (const frame of pieces(data, FRAME_BYTES + TAG_BYTES)) {
    const plain = open(key, frame, index, index === last).subarray(before, before + left);
    index += 1;
    before = 0;
    left -= plain.length;
    yield plain;
  }
  if (left > 0) throw new Error(`encrypted bytes end ${left} bytes too early`);
}

async function* pieces(data: Chunks, size: number): AsyncIterable<Buffer> {
  let piece = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const chunk of data) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.copy(piece, filled, at, at + size - filled);
      at += taken;
      filled += taken;
      if (filled < size) continue;
      yield piece;
      piece = Buffer.allocUnsafe(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

function seal(key: Buffer, plain: Buffer, index: number, isLast: boolean): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonceOf(index, isLast));
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, frame: Buffer, index: number, isLast: boolean): Buffer {
  const end = frame.length - TAG_BYTES;
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(ALGORITHM, key, nonceOf(index, isLast), options);
  decipher.setAuthTag(frame.subarray(Math.max(0, end)));
  return Buffer.concat([decipher.update(frame.subarray(0, Math.max(0, end))), decipher.final()]);
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(index);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}
