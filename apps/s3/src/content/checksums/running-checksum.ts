/** Checksums of bytes that come piece by piece. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import hashWasm, { type IHasher } from 'hash-wasm';
import { CHECKSUM_BYTES, type ChecksumAlgorithm } from './checksum.js';

export interface RunningChecksum {
  /** It keeps nothing of the chunk. */
  update(chunk: Uint8Array): void;
  /** The checksum, most significant byte first. Call it once. */
  digest(): Buffer;
}

/** Reversed, as both reflect their input: RFC 3720, 12.1, and the NVMe specification's CRC-64. */
const CRC32C_POLYNOMIAL = 0x82f63b78;
const CRC64NVME_POLYNOMIAL = '9a6c9329ac4bc9b5';

export async function beginChecksum(algorithm: ChecksumAlgorithm): Promise<RunningChecksum> {
  switch (algorithm) {
    case 'CRC32':
      return new Crc32();
    case 'CRC32C':
    case 'CRC64NVME':
    case 'XXHASH3':
    case 'XXHASH64':
    case 'XXHASH128':
      return new SharedHash(await SHARED[algorithm]());
    case 'MD5':
    case 'SHA1':
    case 'SHA256':
    case 'SHA512':
      return createHash(algorithm.toLowerCase());
  }
}

class Crc32 implements RunningChecksum {
  #value = 0;

  update(chunk: Uint8Array): void {
    this.#value = crc32(chunk, this.#value);
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(CHECKSUM_BYTES.CRC32);
    bytes.writeUInt32BE(this.#value);
    return bytes;
  }
}

/** One instance computes for all streams: each keeps its state, of at most 580 bytes. */
class SharedHash implements RunningChecksum {
  #state: Uint8Array;

  constructor(private readonly hasher: IHasher) {
    this.#state = hasher.init().save();
  }

  update(chunk: Uint8Array): void {
    this.#state = this.hasher.load(this.#state).update(chunk).save();
  }

  digest(): Buffer {
    return Buffer.from(this.hasher.load(this.#state).digest('binary'));
  }
}

/** Instances are compiled when the first client asks for their algorithm. */
const SHARED = {
  CRC32C: once(() => hashWasm.createCRC32(CRC32C_POLYNOMIAL)),
  CRC64NVME: once(() => hashWasm.createCRC64(CRC64NVME_POLYNOMIAL)),
  XXHASH3: once(() => hashWasm.createXXHash3()),
  XXHASH64: once(() => hashWasm.createXXHash64()),
  XXHASH128: once(() => hashWasm.createXXHash128()),
};

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
