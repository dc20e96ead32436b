/**
 * Secrets at rest: AES-256-GCM under a key from configuration. A sealed text holds a random nonce,
 * the authentication tag and the ciphertext; a wrong key or a changed byte is an error, not noise.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1.';

export class Seal {
  readonly #key: Buffer;

  /** @param secret text of any length; at least 32 random characters for full strength */
  constructor(secret: string) {
    this.#key = createHash('sha256').update('cumulet:seal:').update(secret).digest();
  }

  seal(plain: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  }

  /** @throws Error when the text was sealed under another key or changed since */
  open(sealed: string): string {
    if (!sealed.startsWith(VERSION)) throw new Error('not a sealed text of a known version');
    const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  }
}
