/** Encrypts JSON with secrets in text columns, with a key from the service's settings. */
import type { JsonCodec } from '../service/tokens.js';
import { Seal } from './seal.js';

export class SealedJson {
  readonly #seal: Seal;

  constructor(
    { secretKey }: { readonly secretKey: string },
    private readonly json: JsonCodec = JSON,
  ) {
    this.#seal = new Seal(secretKey);
  }

  seal(value: unknown): string {
    return this.#seal.seal(this.json.stringify(value));
  }

  /** @throws Error when it was sealed under another key */
  open<T>(sealed: string): T {
    return this.json.parse(this.#seal.open(sealed)) as T;
  }

  /** Returns `absent` for a column without a value. */
  openIfAny<T>(sealed: string | null, absent: T): T {
    return sealed === null ? absent : this.open<T>(sealed);
  }

  /** A signature by this service, for URLs that carry their own permission. */
  digest(text: string): string {
    return this.#seal.digest(text);
  }
}
