/** Sets of addresses of one IP version, as ascending ranges that do not overlap or touch. */
import { formatCidr, parseCidr } from '@cumulet/common/addresses/ip-address';
import type { Cidr, IpRange } from '@cumulet/common/addresses/ip-address';

const BITS = { 4: 32, 6: 128 } as const;

export function union(ranges: readonly IpRange[]): IpRange[] {
  const joined: IpRange[] = [];
  for (const range of ascending(ranges)) {
    const before = joined.at(-1);
    if (!before || before.last + 1n < range.first) joined.push(range);
    else if (range.last > before.last) joined.splice(-1, 1, { ...before, last: range.last });
  }
  return joined;
}

/** @returns the parts of `ranges` that are not in `taken` */
export function without(ranges: readonly IpRange[], taken: readonly IpRange[]): IpRange[] {
  const holes = union(taken);
  return union(ranges).flatMap((range) => {
    const left: IpRange[] = [];
    let { first } = range;
    for (const hole of holes) {
      if (hole.last < first || hole.first > range.last) continue;
      if (hole.first > first) left.push({ ...range, first, last: hole.first - 1n });
      first = hole.last + 1n;
    }
    return first > range.last ? left : [...left, { ...range, first }];
  });
}

export function holdsAll(ranges: readonly IpRange[], others: readonly IpRange[]): boolean {
  return without(others, ranges).length === 0;
}

/** @returns the smallest list of CIDRs that covers exactly these addresses */
export function cidrsOf(ranges: readonly IpRange[]): Cidr[] {
  return union(ranges).flatMap(({ version, first, last }) => {
    const cidrs: Cidr[] = [];
    for (let from = first; from <= last; from = (cidrs.at(-1)?.last ?? last) + 1n) {
      let bits = 0;
      while (bits < BITS[version] && fits(from, bits + 1, last)) bits += 1;
      const prefix = BITS[version] - bits;
      cidrs.push({ version, prefix, first: from, last: from + (1n << BigInt(bits)) - 1n });
    }
    return cidrs;
  });
}

export function compact(texts: readonly string[]): string[] {
  return cidrsOf(parseAll(texts)).map(formatCidr);
}

/** Skips texts that are not CIDRs. */
export function parseAll(texts: readonly string[]): Cidr[] {
  return texts.map(parseCidr).filter((one) => one !== undefined);
}

/** Whether an aligned block of this many bits begins at `from` and ends by `last`. */
function fits(from: bigint, bits: number, last: bigint): boolean {
  const size = 1n << BigInt(bits);
  return from % size === 0n && from + size - 1n <= last;
}

function ascending(ranges: readonly IpRange[]): IpRange[] {
  return [...ranges].sort((one, other) => (one.first < other.first ? -1 : 1));
}
