/**
 * How bytes are encrypted at rest. Public source: Amazon S3 user guide, "Protecting data with
 * server-side encryption".
 */
export type Encryption =
  /** With the service's own key: the key of these bytes, sealed. */
  | { readonly kind: 'SSE-S3'; readonly sealedKey: string }
  /** With a key that the client sends each time, of which only the MD5 is known, in base64. */
  | { readonly kind: 'SSE-C'; readonly keyMd5: string; readonly salt: string };
