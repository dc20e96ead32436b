import { describe, expect, it } from '@jest/globals';
import { Bucket } from '../buckets/bucket.entity.js';
import { lockHeaders, lockOf } from './lock-headers.js';

const NOW = new Date('2026-02-28T12:00:00Z');
const LATER = '2027-01-01T00:00:00.000Z';

function bucket(objectLock: boolean, configurations: Bucket['configurations'] = {}): Bucket {
  return Object.assign(new Bucket(), { objectLock, configurations });
}

const LOCKABLE = bucket(true);
const MODE = 'x-amz-object-lock-mode';
const UNTIL = 'x-amz-object-lock-retain-until-date';
const HOLD = 'x-amz-object-lock-legal-hold';

describe('the lock of a new object', () => {
  it('is what its headers say', () => {
    const headers = { [MODE]: 'COMPLIANCE', [UNTIL]: LATER, [HOLD]: 'ON' };
    const lock = lockOf(headers, LOCKABLE, NOW);
    expect(lock).toEqual({
      retentionMode: 'COMPLIANCE',
      retainUntil: new Date(LATER),
      legalHold: true,
      legalHoldTold: true,
    });
    expect(lockHeaders(lock)).toEqual(headers);
  });

  it.each([
    [{ days: 2 }, '2026-03-02T12:00:00.000Z'],
    [{ years: 2 }, '2028-02-28T12:00:00.000Z'],
  ])('is by default that of its bucket: %j', (period, until) => {
    const objectLock = { mode: 'GOVERNANCE', ...period } as const;
    const expected = {
      retentionMode: 'GOVERNANCE',
      retainUntil: new Date(until),
      legalHold: false,
      legalHoldTold: false,
    };
    expect(lockOf({}, bucket(true, { objectLock }), NOW)).toEqual(expected);
    const held = lockOf({ [HOLD]: 'ON' }, bucket(true, { objectLock }), NOW);
    expect(held).toEqual({ ...expected, legalHold: true, legalHoldTold: true });
  });

  it('is none otherwise', () => {
    const none = {
      retentionMode: null,
      retainUntil: null,
      legalHold: false,
      legalHoldTold: false,
    };
    expect(lockOf({}, LOCKABLE, NOW)).toEqual(none);
    expect(lockHeaders(none)).toEqual({});
    const told = lockOf({ [HOLD]: 'OFF' }, LOCKABLE, NOW);
    expect(told).toEqual({ ...none, legalHoldTold: true });
    expect(lockHeaders(told)).toEqual({ [HOLD]: 'OFF' });
  });

  it.each([
    [{ [MODE]: 'COMPLIANCE' }],
    [{ [UNTIL]: LATER }],
    [{ [MODE]: 'compliance', [UNTIL]: LATER }],
    [{ [MODE]: 'COMPLIANCE', [UNTIL]: 'soon' }],
    [{ [MODE]: 'COMPLIANCE', [UNTIL]: '2026-02-28T11:59:59Z' }],
    [{ [HOLD]: 'on' }],
  ])('is not %j', (headers) => {
    expect(() => lockOf(headers, LOCKABLE, NOW)).toThrow(
      expect.objectContaining({ code: 'InvalidArgument' }),
    );
  });

  it('cannot be had in every bucket', () => {
    expect(() => lockOf({ [HOLD]: 'OFF' }, bucket(false), NOW)).toThrow(
      expect.objectContaining({ code: 'InvalidRequest' }),
    );
  });
});
