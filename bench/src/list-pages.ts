/** Pages of 1,000 keys in buckets of different sizes, and of common prefixes. */
import pg from 'pg';
import { median } from './measure.js';
import { presigned } from './presigned.js';
import type { ObjectsFacts } from './protocol.js';
import { printRow } from './table.js';

const SIZES = [1_000, 100_000, 1_000_000];
const PREFIXES = 1_000;
const ROUNDS = 15;

export async function measureListPages(s3: ObjectsFacts): Promise<void> {
  const database = new pg.Client(s3.databaseUrl);
  await database.connect();
  const times = new Map<number, { flat: number; prefixes: number }>();
  try {
    for (const size of SIZES) {
      await fill(s3, database, size);
      const of = (query: string): Promise<number> =>
        timeOf(presigned(s3, 'GET', `/${bucketOf(size)}?list-type=2${query}`));
      times.set(size, { flat: await of(''), prefixes: await of('&delimiter=%2F') });
    }
  } finally {
    await database.end();
  }
  const [first] = times.values();
  printRow(['', 'page ms', 'of 1,000 keys', 'prefixes ms']);
  for (const [size, { flat, prefixes }] of times)
    printRow([
      `list of ${size.toLocaleString('en')} keys`,
      flat.toFixed(1),
      (flat / (first?.flat ?? 1)).toFixed(2),
      prefixes.toFixed(1),
    ]);
}

function bucketOf(size: number): string {
  return `list-${size}`;
}

/** Rows as a PUT would make them, only sooner. */
async function fill(s3: ObjectsFacts, database: pg.Client, size: number): Promise<void> {
  const response = await fetch(presigned(s3, 'PUT', `/${bucketOf(size)}`), { method: 'PUT' });
  if (!response.ok) throw new Error(`the bucket was answered with ${response.status}`);
  await database.query(
    `INSERT INTO objects (bucket_id, key, version_id, is_latest, owner_id, content_id, etag, inline)
     SELECT id, convert_to('prefix-' || lpad((number % $2)::text, 4, '0') || '/' || number, 'UTF8'),
            'null', true, project_id, gen_random_uuid(), 'd41d8cd98f00b204e9800998ecf8427e', ''
       FROM buckets, generate_series(1, $3) number WHERE name = $1`,
    [bucketOf(size), Math.min(PREFIXES, size), size],
  );
  await database.query('VACUUM ANALYZE objects');
}

/** Milliseconds, the median of some. */
async function timeOf(url: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    const response = await fetch(url);
    await response.text();
    if (!response.ok) throw new Error(`a list was answered with ${response.status}`);
    times.push(performance.now() - began);
  }
  return median(times);
}
