/** Bytes that came, and what is asked of them. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { asId, type Id } from '@cumulet/common/context/ids';
import type { DataId } from '@cumulet/storage/stores/byte-store';
import type { ChecksumRequest, StoredChecksum } from './checksums/checksum.js';
import type { Encryption, EncryptionRequest } from './encryption/encryption.js';

/** Where bytes come from: the body of a request, a field of a form, another object. */
export interface ContentSource {
  /** Bytes, as far as they are known beforehand. */
  readonly length?: number | undefined;
  /** The bytes, once. */
  open(): Readable;
  /** The headers behind them, by lower-case name, once they have been read to their end. */
  trailers(): Readonly<Record<string, string>>;
}

export interface ReceiveOptions {
  readonly checksum: ChecksumRequest | undefined;
  /** Whether their CRC64NVME is computed as well: the object of a part may get one of it. */
  readonly withCrc64?: boolean;
  /** The header Content-MD5, in base64. */
  readonly contentMd5: string | undefined;
  readonly encryption: EncryptionRequest | undefined;
  /** 5 GiB by default, as an object that is put as a whole, or a part, may have. */
  readonly maxBytes?: number;
}

/** Bytes that are stored, and no object's yet. */
export interface Received {
  readonly contentId: ContentId;
  /** Bytes as the client knows them. */
  readonly size: number;
  /** Their MD5, in hexadecimal. */
  readonly etag: string;
  /** Where they are in the store; null if they are `inline`. */
  readonly dataId: DataId | null;
  /** They themselves, as they are to be stored; null if they are in the store. */
  readonly inline: Buffer | null;
  readonly checksum: StoredChecksum | null;
  /** Their CRC64NVME in base64; null unless `withCrc64` asks for it. */
  readonly crc64: string | null;
  readonly encryption: Encryption | null;
}

/** Names the bytes of an object; of a multipart upload it is its id. */
export type ContentId = Id<'Content'>;

export function newContentId(): ContentId {
  return asId(randomUUID());
}

/** Bytes that a row keeps itself: more are in the store. */
export const INLINE_BYTES = 16 * 1024;

export interface Head {
  readonly bytes: Buffer;
  /** Whether nothing comes behind it. */
  readonly isAll: boolean;
}

/**
 * The first bytes of a stream: all of them if they fit into a row.
 * @param length if it is known that they do not, nothing is waited for
 */
export async function headOf(
  data: AsyncIterator<Buffer>,
  length: number | undefined,
): Promise<Head> {
  const chunks: Buffer[] = [];
  let size = 0;
  while (size <= INLINE_BYTES && (length ?? 0) <= INLINE_BYTES) {
    const next = await data.next();
    if (next.done) return { bytes: Buffer.concat(chunks), isAll: true };
    chunks.push(next.value);
    size += next.value.length;
  }
  return { bytes: Buffer.concat(chunks), isAll: false };
}
