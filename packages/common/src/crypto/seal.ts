/** Encrypts text at rest with the first of several keys (aes-gcm.ts). The others only decrypt. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { decrypt, encrypt } from './aes-gcm.js';

/** Sealed texts begin with one of these; all begin alike, so that they can be told from others. */
const UNNAMED = 'v1.';
const NAMED = 'v2.';

export class Seal {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #current: Buffer;
  #signing: Buffer;
  /** How a text begins that names the current key: `v2.<16 hexadecimal digits>.`. */
  readonly currentPrefix: string;

  /**
   * @param secret text of any length; at least 32 random characters for full strength
   * @param others former secrets, and the next one while a change of keys begins
   */
  constructor(secret: string, others: readonly string[] = []) {
    const keys = [secret, ...others].map(keyOf);
    this.#keys = new Map(keys.map((key) => [idOf(key), key]));
    this.#current = keyOf(secret);
    this.#signing = this.#current;
    this.currentPrefix = `${NAMED}${idOf(this.#current)}.`;
  }

  /** Whether there are keys besides the current one. */
  get hasOthers(): boolean {
    return this.#keys.size > 1;
  }

  /**
   * With one key, the text does not name it, since release 0.1.0 opens no text that does. Several
   * keys are unknown to that release, so no process of it is left once there are some.
   */
  seal(plain: string): string {
    const prefix = this.hasOthers ? this.currentPrefix : UNNAMED;
    return prefix + encrypt(this.#current, Buffer.from(plain)).toString('base64');
  }

  /** @throws Error when the text was sealed under another key or changed since */
  open(sealed: string): string {
    if (sealed.startsWith(UNNAMED)) return this.#openByAny(bytesOf(sealed.slice(UNNAMED.length)));
    if (!sealed.startsWith(NAMED)) throw new Error('not a sealed text of a known version');
    const [, id = '', text = ''] = sealed.split('.');
    const key = this.#keys.get(id);
    if (!key) throw new Error(`no key ${id} is configured`);
    return decrypt(key, bytesOf(text)).toString('utf8');
  }

  /** A keyed hash, so that guesses cannot be tested without the key. */
  digest(text: string): string {
    return digestUnder(this.#signing, text);
  }

  /** Whether this is the text's digest under the signing key or any other. */
  isDigest(text: string, given: string): boolean {
    const keys = [this.#signing, ...this.#keys.values()];
    return keys.some((key) => isSame(digestUnder(key, text), given));
  }

  /** What `digest` signs with, in hexadecimal digits: at first the current key. */
  get signingKey(): string {
    return this.#signing.toString('hex');
  }

  /** Digests stay what they are when the current key changes. @param key another's `signingKey` */
  signWith(key: string): void {
    this.#signing = Buffer.from(key, 'hex');
  }

  #openByAny(bytes: Buffer): string {
    for (const key of this.#keys.values()) {
      try {
        return decrypt(key, bytes).toString('utf8');
      } catch {
        // The authentication tag tells: another key may be the right one.
      }
    }
    throw new Error('no configured key opens the sealed text, or it was changed');
  }
}

function keyOf(secret: string): Buffer {
  return createHash('sha256').update('cumulet:seal:').update(secret).digest();
}

function idOf(key: Buffer): string {
  return createHash('sha256').update('cumulet:seal-id:').update(key).digest('hex').slice(0, 16);
}

function digestUnder(key: Buffer, text: string): string {
  return createHmac('sha256', key).update('cumulet:digest:').update(text).digest('hex');
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

function isSame(own: string, given: string): boolean {
  const [one, other] = [Buffer.from(own), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
