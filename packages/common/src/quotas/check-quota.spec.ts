import { describe, expect, it } from '@jest/globals';
import { checkQuota } from './check-quota.js';
import { QuotaExceededError, QuotaExhaustedError, RequestTooGreatError } from './quota.errors.js';

describe('checkQuota', () => {
  it.each([
    ['what is left exactly', 6, 14, 20],
    ['anything without a limit', 1_000_000, 5, -1],
    ['nothing, from a quota that is used up', 0, 20, 20],
  ])('grants %s', (_, requested, used, limit) => {
    expect(() => checkQuota('cores', requested, { used, limit })).not.toThrow();
  });

  it('refuses more than is left with 403, and says how much is left', () => {
    expect(() => checkQuota('cores', 8, { used: 14, limit: 20 })).toThrow(QuotaExceededError);
    expect(() => checkQuota('cores', 8, { used: 14, limit: 20 })).toThrow(
      'Quota exceeded for cores: requested 8, 6 of 20 left',
    );
  });

  it.each([
    [20, 20],
    [25, 20],
    [0, 0],
  ])('refuses with 413 where nothing is left (%i of %i)', (used, limit) => {
    expect(() => checkQuota('cores', 1, { used, limit })).toThrow(QuotaExhaustedError);
    expect(() => checkQuota('cores', 1, { used, limit })).toThrow(
      `Quota exhausted for cores: all ${limit} are in use`,
    );
  });

  it.each([128, 0])('refuses a request above its own limit (%i) with 403', (limit) => {
    const check = (): void => checkQuota('metadata_items', 129, { used: 0, limit }, false);
    expect(check).toThrow(RequestTooGreatError);
    expect(check).toThrow(
      `Quota exceeded for metadata_items: requested 129, a request may have ${limit}`,
    );
  });
});
