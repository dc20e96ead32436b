/**
 * Received bytes: counted, hashed, and compared with their sender's description. Public source:
 * Amazon S3 API reference, PutObject.
 */
import { randomUUID, createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { asId, type Id } from '@cumulet/common/context/ids';
import type { DataId } from '@cumulet/storage/stores/byte-store';
import {
  type ChecksumRequest,
  type StoredChecksum,
  checksumHeaderOf,
  requireChecksum,
  beginChecksum,
  type RunningChecksum,
} from './checksums/checksum.js';
import type { Encryption, EncryptionRequest } from './encryption/encryption.js';
import { S3Error } from '../http/s3-error.js';

export interface ContentSource {
  readonly length?: number | undefined;
  /** The bytes, once. */
  open(): Readable;
  /** Trailing headers by lower-case name, once all bytes have been read. */
  trailers(): Readonly<Record<string, string>>;
}

export interface ReceiveOptions {
  readonly checksum: ChecksumRequest | undefined;
  /** Whether their CRC64NVME is computed too, from which the object of a part may get its own. */
  readonly withCrc64?: boolean;
  /** The header Content-MD5, in base64. */
  readonly contentMd5: string | undefined;
  readonly encryption: EncryptionRequest | undefined;
  /** 5 GiB by default, the limit of a PUT and of a part. */
  readonly maxBytes?: number;
}

/** Bytes that are stored, but of no object yet. */
export interface Received {
  readonly contentId: ContentId;
  /** Bytes as the client knows them. */
  readonly size: number;
  /** Their MD5, in hexadecimal. */
  readonly etag: string;
  /** Null if they are `inline`. */
  readonly dataId: DataId | null;
  /** As they are to be stored; null if they are in the store. */
  readonly inline: Buffer | null;
  readonly checksum: StoredChecksum | null;
  /** Their CRC64NVME in base64; null unless `withCrc64` asks for it. */
  readonly crc64: string | null;
  readonly encryption: Encryption | null;
}

/** Names the bytes of an object; a multipart upload has the same id. */
export type ContentId = Id<'Content'>;

export function newContentId(): ContentId {
  return asId(randomUUID());
}

/** Up to this size, bytes are kept in the row. */
export const INLINE_BYTES = 16 * 1024;

export interface Head {
  readonly bytes: Buffer;
  /** Whether it is everything. */
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

export interface Measured {
  readonly size: number;
  /** Their MD5, in hexadecimal. */
  readonly etag: string;
  readonly checksum: StoredChecksum | null;
  /** Their CRC64NVME, in base64; null if it was not asked for. */
  readonly crc64: string | null;
}

const MAX_BYTES = 5 * 1024 ** 3;
const MD5_BYTES = 16;

export class ContentMeter {
  readonly #md5: Hash = createHash('md5');
  readonly #maxBytes: number;
  #size = 0;

  private constructor(
    private readonly source: ContentSource,
    private readonly options: ReceiveOptions,
    private readonly checksum: RunningChecksum | undefined,
    private readonly crc64: RunningChecksum | undefined,
  ) {
    this.#maxBytes = options.maxBytes ?? MAX_BYTES;
    if (options.contentMd5 !== undefined) requireMd5(options.contentMd5);
    this.#requireFit(source.length ?? 0);
  }

  /**
   * @throws S3Error EntityTooLarge for an announced length above the limit, InvalidDigest for a
   * malformed MD5
   */
  static async begin(source: ContentSource, options: ReceiveOptions): Promise<ContentMeter> {
    const { checksum, withCrc64 = false } = options;
    const running = checksum && (await beginChecksum(checksum.algorithm));
    const isMore = withCrc64 && checksum?.algorithm !== 'CRC64NVME';
    const crc64 = isMore ? await beginChecksum('CRC64NVME') : undefined;
    return new ContentMeter(source, options, running, crc64);
  }

  /** @throws S3Error EntityTooLarge */
  update(chunk: Buffer): void {
    this.#size += chunk.length;
    this.#requireFit(this.#size);
    this.#md5.update(chunk);
    this.checksum?.update(chunk);
    this.crc64?.update(chunk);
  }

  /**
   * Call it once, when all bytes have come.
   * @throws S3Error IncompleteBody, BadDigest, MalformedTrailerError
   */
  end(): Measured {
    const { length } = this.source;
    if (length !== undefined && this.#size !== length)
      throw new S3Error('IncompleteBody', {
        message: `The body announced ${length} bytes and had ${this.#size}.`,
      });
    const md5 = this.#md5.digest();
    const { contentMd5 } = this.options;
    if (contentMd5 !== undefined && contentMd5 !== md5.toString('base64'))
      throw badDigest('Content-MD5', contentMd5, md5);
    const checksum = this.#checksum();
    const crc64 = this.#crc64(checksum);
    return { size: this.#size, etag: md5.toString('hex'), checksum, crc64 };
  }

  #checksum(): StoredChecksum | null {
    const asked = this.options.checksum;
    if (!asked || !this.checksum) return null;
    const { algorithm } = asked;
    const digest = this.checksum.digest();
    const value = digest.toString('base64');
    const expected = asked.trailer === undefined ? asked.expected : this.#trailer(asked.trailer);
    if (expected !== undefined) {
      requireChecksum(algorithm, expected);
      if (expected !== value) throw badDigest(checksumHeaderOf(algorithm), expected, digest);
    }
    return { algorithm, type: 'FULL_OBJECT', value };
  }

  #crc64(checksum: StoredChecksum | null): string | null {
    if (this.crc64) return this.crc64.digest().toString('base64');
    return this.options.withCrc64 ? (checksum?.value ?? null) : null;
  }

  #trailer(name: string): string {
    const value = this.source.trailers()[name];
    if (value !== undefined) return value;
    throw new S3Error('MalformedTrailerError', {
      message: `The body ended without the trailer ${name}, which x-amz-trailer names.`,
    });
  }

  #requireFit(size: number): void {
    if (size <= this.#maxBytes) return;
    throw new S3Error('EntityTooLarge', {
      details: { ProposedSize: size, MaxSizeAllowed: this.#maxBytes },
    });
  }
}

function requireMd5(text: string): void {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === MD5_BYTES && bytes.toString('base64') === text) return;
  throw new S3Error('InvalidDigest', {
    message: `The Content-MD5 ${text} is not a base64-encoded MD5.`,
    details: { 'Content-MD5': text },
  });
}

function badDigest(header: string, expected: string, computed: Buffer): S3Error {
  const value = computed.toString('base64');
  return new S3Error('BadDigest', {
    message: `${header} says ${expected}, but the body that came has ${value}.`,
    details: { ExpectedDigest: expected, CalculatedDigest: value },
  });
}
