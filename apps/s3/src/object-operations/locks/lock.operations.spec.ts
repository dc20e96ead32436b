import { describe, expect, it } from '@jest/globals';
import { Bucket } from '../../buckets/bucket.entity.js';
import { readXml } from '../../http/xml.js';
import { lockHeaders, lockOf, type Retention } from '../writing/object-properties.js';
import { requireChange, retentionOf } from './lock.operations.js';

const NOW = new Date('2026-11-23T06:00:00Z');
const SOON = '2026-12-01T00:00:00.000Z';
const LATER = '2027-01-01T00:00:00.000Z';

function read(content: string): Retention {
  return retentionOf(readXml(`<Retention>${content}</Retention>`, 'Retention'), NOW);
}

function document(mode: string, until: string): string {
  return `<Mode>${mode}</Mode><RetainUntilDate>${until}</RetainUntilDate>`;
}

describe('a retention', () => {
  it.each([
    [SOON, SOON],
    ['2026-12-01T00:00:00Z', SOON],
    ['2026-12-01T00:00:00', SOON],
    ['2026-12-01T01:00:00+01:00', SOON],
    ['2026-12-01T00:00:00.000000Z', SOON],
  ])('lasts until %s', (text, until) => {
    expect(read(document('GOVERNANCE', text))).toEqual({
      retentionMode: 'GOVERNANCE',
      retainUntil: new Date(until),
    });
  });

  it('is removed by an empty document', () => {
    expect(read('')).toEqual({ retentionMode: null, retainUntil: null });
  });

  it.each([
    [document('governance', SOON), 'MalformedXML'],
    [document('abc', SOON), 'MalformedXML'],
    ['<Mode>GOVERNANCE</Mode>', 'MalformedXML'],
    [`<RetainUntilDate>${SOON}</RetainUntilDate>`, 'MalformedXML'],
    [document('GOVERNANCE', 'tomorrow'), 'MalformedXML'],
    [document('GOVERNANCE', '2026-13-01T00:00:00Z'), 'MalformedXML'],
    [document('GOVERNANCE', '2026-11-23T06:00:00Z'), 'InvalidArgument'],
  ])('is refused: %s', (content, code) => {
    expect(() => read(content)).toThrow(expect.objectContaining({ code }));
  });
});

describe('a retention in force', () => {
  const of = (retentionMode: Retention['retentionMode'], until: string | null): Retention => ({
    retentionMode,
    retainUntil: until === null ? null : new Date(until),
  });
  const none = of(null, null);

  it.each<[Retention, Retention, plain: boolean, bypassing: boolean]>([
    [none, of('COMPLIANCE', SOON), true, true],
    [of('GOVERNANCE', SOON), of('GOVERNANCE', LATER), true, true],
    [of('GOVERNANCE', SOON), of('GOVERNANCE', SOON), true, true],
    [of('GOVERNANCE', LATER), of('GOVERNANCE', SOON), false, true],
    [of('GOVERNANCE', SOON), of('COMPLIANCE', SOON), false, true],
    [of('GOVERNANCE', SOON), none, false, true],
    [of('COMPLIANCE', SOON), of('COMPLIANCE', LATER), true, true],
    [of('COMPLIANCE', LATER), of('COMPLIANCE', SOON), false, false],
    [of('COMPLIANCE', SOON), of('GOVERNANCE', LATER), false, false],
    [of('COMPLIANCE', SOON), none, false, false],
    [of('COMPLIANCE', '2026-11-23T05:59:59Z'), none, true, true],
  ])('%j may become %j: %j, or with bypass: %j', (from, to, plain, bypassing) => {
    const may = (bypass: boolean): boolean => {
      try {
        requireChange(from, to, bypass, NOW);
        return true;
      } catch {
        return false;
      }
    };
    expect([may(false), may(true)]).toEqual([plain, bypassing]);
  });
});

const STORED_AT = new Date('2026-02-28T12:00:00Z');

function bucket(objectLock: boolean, configurations: Bucket['configurations'] = {}): Bucket {
  return Object.assign(new Bucket(), { objectLock, configurations });
}

const LOCKABLE = bucket(true);
const MODE = 'x-amz-object-lock-mode';
const UNTIL = 'x-amz-object-lock-retain-until-date';
const HOLD = 'x-amz-object-lock-legal-hold';

describe('the lock of a new object', () => {
  it('follows its headers', () => {
    const headers = { [MODE]: 'COMPLIANCE', [UNTIL]: LATER, [HOLD]: 'ON' };
    const lock = lockOf(headers, LOCKABLE, STORED_AT);
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
  ])('defaults to that of its bucket: %j', (period, until) => {
    const objectLock = { mode: 'GOVERNANCE', ...period } as const;
    const expected = {
      retentionMode: 'GOVERNANCE',
      retainUntil: new Date(until),
      legalHold: false,
      legalHoldTold: false,
    };
    expect(lockOf({}, bucket(true, { objectLock }), STORED_AT)).toEqual(expected);
    const held = lockOf({ [HOLD]: 'ON' }, bucket(true, { objectLock }), STORED_AT);
    expect(held).toEqual({ ...expected, legalHold: true, legalHoldTold: true });
  });

  it('is empty otherwise', () => {
    const none = {
      retentionMode: null,
      retainUntil: null,
      legalHold: false,
      legalHoldTold: false,
    };
    expect(lockOf({}, LOCKABLE, STORED_AT)).toEqual(none);
    expect(lockHeaders(none)).toEqual({});
    const told = lockOf({ [HOLD]: 'OFF' }, LOCKABLE, STORED_AT);
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
  ])('cannot be %j', (headers) => {
    expect(() => lockOf(headers, LOCKABLE, STORED_AT)).toThrow(
      expect.objectContaining({ code: 'InvalidArgument' }),
    );
  });

  it('is refused in a bucket without object lock', () => {
    expect(() => lockOf({ [HOLD]: 'OFF' }, bucket(false), STORED_AT)).toThrow(
      expect.objectContaining({ code: 'InvalidRequest' }),
    );
  });
});
