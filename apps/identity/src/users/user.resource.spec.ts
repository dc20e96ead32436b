import { describe, expect, it } from '@jest/globals';
import { bound, type BoundConditions } from '@cumulet/common/tables/condition';
import { filtersOf } from '@cumulet/common/tables/listing';
import { ListUsersQuery } from './user.resource.js';

function filter(password_expires_at?: string | string[]): BoundConditions {
  return bound(filtersOf(Object.assign(new ListUsersQuery(), { password_expires_at })));
}

const moment = new Date('2026-01-31T12:00:00Z');

describe('the filter password_expires_at', () => {
  it('reads the operator and the moment', () => {
    expect(filter('lte:2026-01-31T12:00:00Z')).toEqual({
      where: '("passwordExpiresAt" <= $1)',
      params: [moment],
    });
  });

  it('takes a moment by itself for the exact one', () => {
    expect(filter('2026-01-31T12:00:00Z').where).toBe('("passwordExpiresAt" = $1)');
  });

  it('holds all that are given together', () => {
    const { where, params } = filter(['gt:2026-01-31T12:00:00Z', 'neq:2026-01-31T12:00:00Z']);
    expect(where).toBe('("passwordExpiresAt" > $1 AND "passwordExpiresAt" <> $2)');
    expect(params).toEqual([moment, moment]);
  });

  it('reads none from nothing', () => {
    expect(filter().where).toBe('true');
  });
});
