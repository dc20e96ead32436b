/**
 * JSON at rest that may hold secrets: sealed under a service's key, in columns of texts. A service
 * provides it with the key from its settings.
 */
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

  /** What a column without a value stands for is the caller's to say. */
  openIfAny<T>(sealed: string | null, absent: T): T {
    return sealed === null ? absent : this.open<T>(sealed);
  }

  /** That this service has said so: for addresses that carry their own leave. */
  digest(text: string): string {
    return this.#seal.digest(text);
  }
}
