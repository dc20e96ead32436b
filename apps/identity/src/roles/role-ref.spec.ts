import { describe, expect, it } from '@jest/globals';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { NotFoundError } from '../resource/resource.errors.js';
import { chosenRoles, type RoleRefDto } from './role-ref.js';

const member = { id: '1', name: 'member' };
const reader = { id: '2', name: 'reader' };

function choose(...wanted: RoleRefDto[]): object[] {
  return chosenRoles([member, reader], wanted, (role) => new NotFoundError('role', role));
}

describe('chosenRoles', () => {
  it('finds them by id and by name', () => {
    expect(choose({ id: '2' }, { name: 'member' })).toEqual([reader, member]);
  });

  it('takes a duplicate once', () => {
    expect(choose({ id: '1' }, { name: 'member' })).toEqual([member]);
  });

  it('names the one that is missing', () => {
    expect(() => choose({ name: 'reader' }, { name: 'admin' })).toThrow(
      new NotFoundError('role', 'admin'),
    );
    expect(() => choose({ id: 'member' })).toThrow(new NotFoundError('role', 'member'));
  });

  it('requires exactly one of ID and name', () => {
    expect(() => choose({})).toThrow(InvalidInputError);
    expect(() => choose({ id: '1', name: 'member' })).toThrow(InvalidInputError);
  });
});
