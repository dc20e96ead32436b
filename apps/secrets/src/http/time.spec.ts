import { describe, expect, it } from '@jest/globals';
import { timeOf, zonelessTime } from './time.js';

describe('timeOf', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:30', '2026-01-31T12:30:00.000Z'],
    ['2026-01-31 12:30:15', '2026-01-31T12:30:15.000Z'],
    ['2026-01-31T12:30:15.123456', '2026-01-31T12:30:15.123Z'],
    ['2026-01-31T12:30:15Z', '2026-01-31T12:30:15.000Z'],
    ['2026-01-31T12:30:15+02:00', '2026-01-31T10:30:15.000Z'],
    ['2026-01-31T12:30:15-0130', '2026-01-31T14:00:15.000Z'],
    ['2026-01-31T12:30:15+02', '2026-01-31T10:30:15.000Z'],
  ])('reads %s', (text, expected) => expect(timeOf(text)?.toISOString()).toBe(expected));

  it.each([
    '',
    'tomorrow',
    '2026',
    '2026-13-01',
    '2026-02-30',
    '2026-01-31T25:00',
    '1',
    '20260131',
  ])('refuses %j', (text) => expect(timeOf(text)).toBeUndefined());
});

it('writes a time that it reads as the same', () => {
  const time = new Date('2026-01-31T12:30:15.123Z');
  expect(zonelessTime(time)).toBe('2026-01-31T12:30:15.123000');
  expect(timeOf(zonelessTime(time))).toEqual(time);
});
