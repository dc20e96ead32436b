import { describe, expect, it } from '@jest/globals';
import { asId } from '@cumulet/common/context/ids';
import { changedUser, newUser } from './user-change.js';
import type { UserProfile } from './user.repository.js';

const before: UserProfile = {
  id: asId('u'),
  domainId: asId('d'),
  name: 'before',
  description: 'a user',
  enabled: false,
  defaultProjectId: asId('p'),
  options: { lock_password: true },
  extra: { email: 'a@example.com' },
};

describe('changedUser', () => {
  it('leaves what is not named as it is', () => {
    expect(changedUser(before, {})).toEqual(before);
    expect(changedUser(before, { name: undefined, extra: {} })).toEqual(before);
  });

  it('takes names without the white space around them', () => {
    expect(changedUser(before, { name: ' after ' }).name).toBe('after');
  });

  it('takes away what is null', () => {
    const change = { description: null, defaultProjectId: null, options: { lock_password: null } };
    expect(changedUser(before, change)).toMatchObject({
      description: '',
      defaultProjectId: null,
      options: {},
    });
  });

  it('adds to options and to other properties', () => {
    const change = { options: { ignore_password_expiry: true }, extra: { phone: null } };
    expect(changedUser(before, change)).toMatchObject({
      options: { lock_password: true, ignore_password_expiry: true },
      extra: { email: 'a@example.com', phone: null },
    });
  });
});

describe('newUser', () => {
  it('is enabled and has nothing unless told', () => {
    expect(newUser({ id: asId('u'), domainId: asId('d') }, { name: 'n' })).toEqual({
      id: 'u',
      domainId: 'd',
      name: 'n',
      description: '',
      enabled: true,
      defaultProjectId: null,
      options: {},
      extra: {},
    });
  });
});
