/**
 * AES-256-GCM. The output is a random nonce, the authentication tag and the ciphertext; a wrong
 * key, another context or a changed byte is an error.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param key 32 bytes @param about associated data: the only place where it decrypts */
export function encrypt(key: Buffer, plain: Buffer, about = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** @throws Error for another key, other associated data, or altered bytes */
export function decrypt(key: Buffer, encrypted: Buffer, about = ''): Buffer {
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const body = encrypted.subarray(NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(about))
    .setAuthTag(encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(body), decipher.final()]);
}
