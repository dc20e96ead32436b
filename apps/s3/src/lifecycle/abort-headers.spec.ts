import { describe, expect, it } from '@jest/globals';
import { abortHeaders } from './abort-headers.js';
import type { LifecycleRule } from './lifecycle-rule.js';

const UPLOAD = { key: Buffer.from('logs/ä'), initiatedAt: new Date('2026-03-01T12:00:00Z') };
const rule = (id: string, days: number, more: Partial<LifecycleRule> = {}): LifecycleRule => ({
  id,
  isEnabled: true,
  filter: {},
  hasOwnPrefix: false,
  abortUploadsAfterDays: days,
  ...more,
});
const headersOf = (...lifecycle: LifecycleRule[]): Record<string, string> =>
  abortHeaders({ configurations: { lifecycle } }, UPLOAD);

describe('an upload', () => {
  it('has the day after its age is reached, and the rule that comes first', () => {
    const ours = { filter: { prefix: 'logs/' } };
    expect(headersOf(rule('late', 7), rule('a b', 1, ours), rule('later', 9))).toEqual({
      'x-amz-abort-date': 'Tue, 03 Mar 2026 00:00:00 GMT',
      'x-amz-abort-rule-id': 'a%20b',
    });
  });

  it.each<[string, LifecycleRule]>([
    ['is disabled', rule('a', 1, { isEnabled: false })],
    ['is for others', rule('a', 1, { filter: { prefix: 'ogs/' } })],
    ['expires objects', { id: 'a', isEnabled: true, filter: {}, hasOwnPrefix: false }],
  ])('has none where the rule %s', (_, other) => expect(headersOf(other)).toEqual({}));
});
