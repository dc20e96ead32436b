/**
 * The key that a day's signatures are made with. It is derived from the secret in four steps, which
 * cost more than a signature, so the last ones are kept.
 */
import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Scope } from './scope.js';

const keys = new LRUCache<string, Buffer>({ max: 1_000 });

export function signingKey(secret: string, { access, date, region }: Scope): Buffer {
  const name = [secret, access, date, region].join('\n');
  const known = keys.get(name);
  if (known) return known;
  const key = [date, region, 's3', 'aws4_request'].reduce<Buffer>(
    (former, part) => hmac(former, part),
    Buffer.from(`AWS4${secret}`),
  );
  keys.set(name, key);
  return key;
}

export function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
