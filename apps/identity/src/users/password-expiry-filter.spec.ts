import { describe, expect, it } from '@jest/globals';
import { readExpiryFilters } from './password-expiry-filter.js';

describe('readExpiryFilters', () => {
  it('reads the operator and the moment', () => {
    expect(readExpiryFilters('lte:2026-01-31T12:00:00Z')).toEqual([
      { operator: '<=', moment: new Date('2026-01-31T12:00:00Z') },
    ]);
  });

  it('takes a moment by itself for the exact one', () => {
    expect(readExpiryFilters('2026-01-31T12:00:00Z')).toMatchObject([{ operator: '=' }]);
  });

  it('reads none from nothing', () => {
    expect(readExpiryFilters(undefined)).toEqual([]);
  });
});
