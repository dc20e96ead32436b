/**
 * How data of unknown length is cut into the parts of a multipart upload. Public source: Amazon S3
 * User Guide, "Amazon S3 multipart upload limits".
 */
const MIB = 1024 ** 2;
const MAX_PARTS = 10_000;
const MIN_PART_BYTES = 8 * MIB;

/** The largest object that S3 takes. */
const MAX_OBJECT_BYTES = 5 * 1024 ** 4;

/**
 * Bytes of a part. They grow from part to part, by no more than it takes for all of them together
 * to hold `limit` bytes: small images then cost little memory, and large ones still fit.
 * @param number the first is 1
 */
export function partBytes(number: number, limit: number): number {
  const average = Math.min(limit, MAX_OBJECT_BYTES) / MAX_PARTS;
  const growth = Math.max(0, (2 * (average - MIN_PART_BYTES)) / MAX_PARTS);
  return Math.ceil((MIN_PART_BYTES + growth * number) / MIB) * MIB;
}

/** The data in parts, each in memory of its own; none where there is no byte. */
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
