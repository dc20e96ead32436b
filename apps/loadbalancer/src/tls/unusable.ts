/** What the secrets service holds cannot serve for TLS. */
export class UnusableError extends Error {
  override readonly name = 'UnusableError';

  /** @param message why, for its owner; nothing of what a secret holds */
  constructor(
    message: string,
    /** What kind of thing it was taken for. */
    readonly of: 'certificate' | 'pkcs12' | 'subject' | 'authority' | 'revocations' = 'certificate',
  ) {
    super(message);
  }
}
