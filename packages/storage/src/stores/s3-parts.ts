/**
 * Splits data of unknown length into the parts of a multipart upload. Public source: Amazon S3
 * User Guide, "Amazon S3 multipart upload limits".
 */
const MIB = 1024 ** 2;
const MAX_PARTS = 10_000;
const MIN_PART_BYTES = 8 * MIB;

/** The largest object that S3 accepts. */
const MAX_OBJECT_BYTES = 5 * 1024 ** 4;

/**
 * Bytes of a part. Parts grow just enough for all of them together to hold `limit` bytes: small
 * objects then use little memory, and large ones still fit.
 * @param number starts at 1
 */
export function partBytes(number: number, limit: number): number {
  const average = Math.min(limit, MAX_OBJECT_BYTES) / MAX_PARTS;
  const growth = Math.max(0, (2 * (average - MIN_PART_BYTES)) / MAX_PARTS);
  return Math.ceil((MIN_PART_BYTES + growth * number) / MIB) * MIB;
}

/** The data in parts, each in its own buffer; none if there are no bytes. */
export async function* partsOf(data: AsyncIterable<Buffer>, limit: number): AsyncIterable<Buffer> {
  let number = 1;
  let part = Buffer.allocUnsafeSlow(partBytes(number, limit));
  let filled = 0;
  for await (const chunk of data) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.copy(part, filled, at);
      at += taken;
      filled += taken;
      if (filled < part.length) continue;
      yield part;
      number += 1;
      part = Buffer.allocUnsafeSlow(partBytes(number, limit));
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
