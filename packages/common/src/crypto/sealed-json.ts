/** Encrypts JSON with secrets in text columns, with the keys of the service's settings. */
import type { JsonCodec } from '../service/tokens.js';
import { Seal } from './seal.js';

export class SealedJson {
  /** Seals the JSON's text. */
  readonly texts: Seal;

  constructor(
    settings: {
      readonly secretKey: string;
      readonly oldSecretKeys?: readonly string[] | undefined;
    },
    private readonly json: JsonCodec = JSON,
  ) {
    this.texts = new Seal(settings.secretKey, settings.oldSecretKeys);
  }

  seal(value: unknown): string {
    return this.texts.seal(this.json.stringify(value));
  }

  /** @throws Error when it was sealed under a key that is not configured */
  open<T>(sealed: string): T {
    return this.json.parse(this.texts.open(sealed)) as T;
  }

  /** Returns `absent` for a column without a value. */
  openIfAny<T>(sealed: string | null, absent: T): T {
    return sealed === null ? absent : this.open<T>(sealed);
  }

  /** A signature by this service, for URLs that carry their own permission. */
  digest(text: string): string {
    return this.texts.digest(text);
  }

  /** Whether it is the text's signature, by the signing key or a configured one. */
  isDigest(text: string, given: string): boolean {
    return this.texts.isDigest(text, given);
  }
}
