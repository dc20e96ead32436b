import { asId } from '@cumulet/common/context/ids';
import { expect, it } from '@jest/globals';
import { logKeyOf } from './access-log-batch.entity.js';
import type { LogKeyFormat } from '../buckets/bucket.entity.js';

const NOW = new Date('2026-11-24T00:03:07.500Z');
const keyOf = (keyFormat?: LogKeyFormat): string =>
  logKeyOf(
    {
      projectId: asId('project'),
      region: 'us-east-1',
      name: 'shop',
      day: '2026-11-23',
      logging: { bucket: 'logs', prefix: 'p/', ...(keyFormat && { keyFormat }) },
    },
    NOW,
  );

it.each<[LogKeyFormat | undefined, string]>([
  [undefined, 'p/2026-11-24-00-03-07'],
  [{ kind: 'simple' }, 'p/2026-11-24-00-03-07'],
  [{ kind: 'partitioned' }, 'p/project/us-east-1/shop/2026/11/23/2026-11-23-00-00-00'],
  [
    { kind: 'partitioned', by: 'EventTime' },
    'p/project/us-east-1/shop/2026/11/23/2026-11-23-00-00-00',
  ],
  [
    { kind: 'partitioned', by: 'DeliveryTime' },
    'p/project/us-east-1/shop/2026/11/24/2026-11-24-00-03-07',
  ],
])('gives an object of key format %j its key', (keyFormat, begin) => {
  const key = keyOf(keyFormat);
  expect(key.replace(/-[0-9A-F]{16}$/, '')).toBe(begin);
  expect(keyOf(keyFormat)).not.toBe(key);
});
