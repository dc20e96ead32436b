/** Bytes that a row keeps itself: more are in the store. */
export const INLINE_BYTES = 16 * 1024;

export interface Head {
  readonly bytes: Buffer;
  /** Whether nothing comes behind it. */
  readonly isAll: boolean;
}

/**
 * The first bytes of a stream: all of them if they fit into a row.
 * @param length if it is known that they do not, nothing is waited for
 */
export async function headOf(
  data: AsyncIterator<Buffer>,
  length: number | undefined,
): Promise<Head> {
  const chunks: Buffer[] = [];
  let size = 0;
  while (size <= INLINE_BYTES && (length ?? 0) <= INLINE_BYTES) {
    const next = await data.next();
    if (next.done) return { bytes: Buffer.concat(chunks), isAll: true };
    chunks.push(next.value);
    size += next.value.length;
  }
  return { bytes: Buffer.concat(chunks), isAll: false };
}
