/** A request as `hostile-holds.ts` sends it, and lists that fill one. Pure. */
export interface Sent {
  readonly method: string;
  /** Below the ingress, or the address of S3 where it is about that. */
  readonly url: string;
  /** Names and values in turns. */
  readonly headers: readonly string[];
  readonly body: string;
}

export interface Pair {
  readonly name: string;
  readonly hostile: Sent;
  readonly harmless: Sent;
}

export interface World {
  /** The ingress. */
  readonly url: string;
  readonly token: string;
  /** A body that logs in. */
  readonly login: object;
  readonly imageId: string;
  /** Presigned, for a path that begins with the bucket: `?delete`. */
  readonly s3: (method: string, path: string) => string;
  /** Fields of a form for that bucket which stores its file. */
  readonly form: readonly (readonly [string, string])[];
}

/** Just below what every route takes. */
export const MAX_BYTES = 1024 * 1024 - 1024;

/** @returns as many as fit into the bytes, with commas between them */
export function listed(one: (at: number) => string, bytes = MAX_BYTES, most = Infinity): string {
  const items: string[] = [];
  for (let at = 0, size = 0; size < bytes && at < most; at += 1) {
    const item = one(at);
    size += item.length + 1;
    if (size < bytes) items.push(item);
  }
  return items.join(',');
}
