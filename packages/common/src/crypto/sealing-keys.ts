/** Encrypts bytes at rest with the first of several keys. The others only decrypt. */
import { createHash } from 'node:crypto';
import { decrypt, encrypt } from './aes-gcm.js';

export interface SealedBytes {
  /** Names the key without revealing it. */
  readonly keyId: string;
  /** As `encrypt` returns them. */
  readonly sealed: Buffer;
}

export class SealingKeys {
  readonly #keys: ReadonlyMap<string, Buffer>;
  /** The ID of the key that encrypts. */
  readonly currentId: string;

  /** @param secrets at least one, the newest first; each of 32 random bytes or more */
  constructor(secrets: readonly [string, ...string[]]) {
    this.#keys = new Map(secrets.map((secret) => [idOf(secret), keyOf(secret)]));
    this.currentId = idOf(secrets[0]);
  }

  /** The ids of all keys, the current one first. */
  get ids(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** @param about the row of the bytes, which cannot be decrypted in another row */
  seal(plain: Buffer, about: string): SealedBytes {
    return { keyId: this.currentId, sealed: encrypt(this.#key(this.currentId), plain, about) };
  }

  /** @throws Error if its key is unknown, or it belongs to another row or was changed */
  open({ keyId, sealed }: SealedBytes, about: string): Buffer {
    return decrypt(this.#key(keyId), sealed, about);
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id);
    if (!key) throw new Error(`no key ${id} is configured`);
    return key;
  }
}

function keyOf(secret: string): Buffer {
  return createHash('sha256').update('cumulet:sealing-key:').update(secret).digest();
}

function idOf(secret: string): string {
  return createHash('sha256').update(keyOf(secret)).digest('hex').slice(0, 16);
}
