/** Mutated copies of an image, always the same for the same seed. */

export interface MutationOptions {
  readonly seed: number;
  readonly rounds: number;
}

/** Values that break careless readers. */
const EXTREMES = [0n, 1n, 0x7fff_ffffn, 0xffff_ffffn, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n];

/** Most headers end before this. */
const INTERESTING_BYTES = 1024;

export function* mutations(image: Buffer, { seed, rounds }: MutationOptions): Generator<Buffer> {
  const random = randomOf(seed);
  for (let round = 0; round < rounds; round += 1) {
    const mutated = Buffer.from(image);
    const changes = 1 + random(6);
    for (let change = 0; change < changes; change += 1) mutate(mutated, random);
    yield random(3) === 0 ? mutated.subarray(0, random(mutated.length + 1)) : mutated;
  }
}

/** @returns an integer from 0 up to, but excluding, the limit */
export type Random = (limit: number) => number;

/** Public source: "mulberry32", Tommy Ettinger. */
export function randomOf(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

function mutate(image: Buffer, random: Random): void {
  if (image.length === 0) return;
  const reach = random(2) === 0 ? Math.min(image.length, INTERESTING_BYTES) : image.length;
  const offset = random(reach);
  if (random(2) === 0 || offset + 8 > image.length) {
    image[offset] = random(256);
    return;
  }
  const value = EXTREMES[random(EXTREMES.length)] ?? 0n;
  if (random(2) === 0) image.writeBigUInt64LE(value, offset);
  else image.writeBigUInt64BE(value, offset);
}
