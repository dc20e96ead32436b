/**
 * The keys that contents are encrypted with: made, sealed, and opened again.
 *
 * Always holds: what is stored of a key opens only with the service's secret key, or with the one
 * that its client sends.
 */
import { createHmac, randomBytes } from 'node:crypto';
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

  /** Keys of names are derived, so that there is nothing to store for them. */
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
