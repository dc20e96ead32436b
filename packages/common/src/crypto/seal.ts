/** Encrypts text at rest with a key from configuration (aes-gcm.ts). */
import { createHash, createHmac } from 'node:crypto';
import { decrypt, encrypt } from './aes-gcm.js';

const VERSION = 'v1.';

export class Seal {
  readonly #key: Buffer;

  /** @param secret text of any length; at least 32 random characters for full strength */
  constructor(secret: string) {
    this.#key = createHash('sha256').update('cumulet:seal:').update(secret).digest();
  }

  seal(plain: string): string {
    return VERSION + encrypt(this.#key, Buffer.from(plain)).toString('base64');
  }

  /** @throws Error when the text was sealed under another key or changed since */
  open(sealed: string): string {
    if (!sealed.startsWith(VERSION)) throw new Error('not a sealed text of a known version');
    const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64');
    return decrypt(this.#key, bytes).toString('utf8');
  }

  /** A keyed hash, so that guesses cannot be tested without the key. */
  digest(text: string): string {
    return createHmac('sha256', this.#key).update('cumulet:digest:').update(text).digest('hex');
  }
}
