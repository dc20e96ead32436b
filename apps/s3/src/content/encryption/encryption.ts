/**
 * How bytes are encrypted at rest. Each content has a random key of its own, which is stored sealed
 * under a key that the method says. Public source: Amazon S3 user guide, "Protecting data with
 * server-side encryption".
 */
export type EncryptionMethod =
  /** Under the service's own key. */
  | { readonly kind: 'SSE-S3' }
  /** Under one of the keys that the service derives for names; its clients choose the names. */
  | { readonly kind: 'SSE-KMS'; readonly keyId: string }
  /** Under a key that the client sends each time, of which only the MD5 is known, in base64. */
  | { readonly kind: 'SSE-C'; readonly keyMd5: string };

export type Encryption = EncryptionMethod & {
  /** Null for a multipart upload and its object: its parts have keys. */
  readonly sealedKey: string | null;
  /** CRC32 of the encrypted bytes, by which they are compared without a key, if the store has them. */
  readonly storedCrc32?: number;
};
