import { describe, expect, it } from '@jest/globals';
import {
  abortHeaders,
  dueAt,
  dueBefore,
  expirationHeaderOf,
  isFor,
  type LifecycleRule,
} from './lifecycle-rules.js';

const OBJECT = {
  key: Buffer.from('logs/ä'),
  size: '10',
  tags: { a: 'b' },
  modifiedAt: new Date('2026-03-01T12:00:00Z'),
};
const rule = (id: string, days: number, more: Partial<LifecycleRule> = {}): LifecycleRule => ({
  id,
  isEnabled: true,
  filter: {},
  hasOwnPrefix: false,
  expiration: { kind: 'days', days },
  ...more,
});
const headerOf = (...lifecycle: LifecycleRule[]): string | undefined =>
  expirationHeaderOf({ configurations: { lifecycle } }, OBJECT);

describe('the expiration header', () => {
  it('names the rule and the day after the age is reached', () => {
    expect(headerOf(rule('a b', 1))).toBe(
      'expiry-date="Tue, 03 Mar 2026 00:00:00 GMT", rule-id="a%20b"',
    );
  });

  it('names the rule that takes effect first', () => {
    const date = { kind: 'date', date: '2026-03-05T00:00:00.000Z' } as const;
    const dated = rule('dated', 0, { expiration: date });
    expect(headerOf(rule('late', 9), dated, rule('later', 10))).toContain('"dated"');
    expect(headerOf(rule('late', 9), dated, rule('soon', 2))).toContain('"soon"');
  });

  it.each<[string, Partial<LifecycleRule>]>([
    ['is disabled', { isEnabled: false }],
    ['is for other objects', { filter: { prefix: 'log/' } }],
    ['is for delete markers', { expiration: { kind: 'delete-markers' } }],
  ])('is absent if the rule %s', (_, more) => {
    expect(headerOf(rule('a', 1, more))).toBeUndefined();
  });

  it('is absent without rules', () => expect(headerOf()).toBeUndefined());
});

it.each([
  [{}, true],
  [{ prefix: 'logs/' }, true],
  [{ prefix: 'ogs/' }, false],
  [{ tags: { a: 'b' } }, true],
  [{ tags: { a: 'b', c: 'd' } }, false],
  [{ tags: { a: 'c' } }, false],
  [{ sizeAbove: 9, sizeBelow: 11 }, true],
  [{ sizeAbove: 10 }, false],
  [{ sizeBelow: 10 }, false],
])('the filter %j: %s', (filter, expected) => expect(isFor(filter, OBJECT)).toBe(expected));

it('an object is due exactly when it was stored before the cutoff', () => {
  const dayMs = 10_000;
  for (let at = 0; at < 40_000; at += 500) {
    const stored = new Date(1_000_000 + at);
    const now = new Date(1_030_000);
    const isDue = dueAt(stored, 1, dayMs) <= now;
    expect([at, stored <= dueBefore(now, 1, dayMs)]).toEqual([at, isDue]);
  }
});

const UPLOAD = { key: Buffer.from('logs/ä'), initiatedAt: new Date('2026-03-01T12:00:00Z') };
const abortRule = (id: string, days: number, more: Partial<LifecycleRule> = {}): LifecycleRule => ({
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
  it('names the rule that takes effect first and the day after its age is reached', () => {
    const ours = { filter: { prefix: 'logs/' } };
    expect(
      headersOf(abortRule('late', 7), abortRule('a b', 1, ours), abortRule('later', 9)),
    ).toEqual({
      'x-amz-abort-date': 'Tue, 03 Mar 2026 00:00:00 GMT',
      'x-amz-abort-rule-id': 'a%20b',
    });
  });

  it.each<[string, LifecycleRule]>([
    ['is disabled', abortRule('a', 1, { isEnabled: false })],
    ['is for other keys', abortRule('a', 1, { filter: { prefix: 'ogs/' } })],
    ['expires objects', { id: 'a', isEnabled: true, filter: {}, hasOwnPrefix: false }],
  ])('has no abort headers if the rule %s', (_, other) => expect(headersOf(other)).toEqual({}));
});
