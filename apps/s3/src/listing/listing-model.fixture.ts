/** The expected listing, computed from all versions. */
import type { RequestContext } from '@cumulet/common/context/request-context';
import type { BucketId } from '../buckets/bucket.entity.js';
import { commonPrefixOf, type ListingPage } from './listing-range.js';

export interface ModelVersion {
  readonly key: string;
  readonly versionId: string;
  readonly sequence: number;
  readonly isLatest: boolean;
  readonly isDeleteMarker: boolean;
}

/** `key versionId`, or `prefix/` of a common prefix. */
export type ModelEntry = string;

/** Numbers from 0 to below `end`, the same ones for the same seed. */
export function randomOf(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

const LETTERS = ['a', 'b', '/', '/', '-', '', 'é', '日', '\u{10ffff}', '\u0001', '%', 'A'];

export function randomText(random: (end: number) => number, maxLength: number): string {
  return Array.from({ length: random(maxLength + 1) }, () => LETTERS[random(LETTERS.length)]).join(
    '',
  );
}

/** Up to four versions of each key, some of them delete markers. */
export function randomVersions(random: (end: number) => number, keys: number): ModelVersion[] {
  const names = new Set(Array.from({ length: keys }, () => `${randomText(random, 6)}k`));
  let sequence = 0;
  return [...names].flatMap((key) => {
    const count = 1 + random(4);
    return Array.from({ length: count }, (_, at) => ({
      key,
      versionId: `v${sequence + 1}`,
      sequence: ++sequence,
      isLatest: at === count - 1,
      isDeleteMarker: random(3) === 0,
    }));
  });
}

export async function store(
  ctx: RequestContext,
  bucketId: BucketId,
  versions: readonly ModelVersion[],
): Promise<void> {
  for (const { key, versionId, sequence, isLatest, isDeleteMarker } of versions)
    await ctx.manager.query(
      `INSERT INTO objects (bucket_id, key, version_id, sequence, is_latest, is_delete_marker,
                            content_id, owner_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'owner')`,
      [
        bucketId,
        Buffer.from(key),
        versionId,
        sequence,
        isLatest,
        isDeleteMarker,
        isDeleteMarker ? null : crypto.randomUUID(),
      ],
    );
}

/** @param olderThan of the key `after`, older versions than this one follow */
export function listed(
  versions: readonly ModelVersion[],
  page: ListingPage,
  olderThan?: string,
): ModelEntry[] {
  const sorted = [...versions].sort((a, b) => byBytes(a.key, b.key) || b.sequence - a.sequence);
  const marked = sorted.find((one) => one.key === page.after && one.versionId === olderThan);
  const entries = new Set<ModelEntry>();
  for (const { key, versionId, sequence } of sorted) {
    if (!key.startsWith(page.prefix)) continue;
    const common = commonPrefixOf(key, page);
    const isOlder = key === page.after && marked !== undefined && sequence < marked.sequence;
    if (page.after !== '' && byBytes(key, page.after) <= 0 && !isOlder) continue;
    if (common !== undefined && common === commonPrefixOf(page.after, page)) continue;
    entries.add(common ?? `${key} ${versionId}`);
  }
  return [...entries].slice(0, page.limit);
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
