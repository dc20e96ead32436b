import { describe, expect, it } from '@jest/globals';
import { CountingPasswords } from '../../identity.fixture.js';

describe('PasswordHasher', () => {
  const passwords = new CountingPasswords();

  async function runsOf(verify: () => Promise<boolean>): Promise<number> {
    const before = passwords.verifications;
    await verify();
    return passwords.verifications - before;
  }

  it('verifies the password that it hashed, and no other', async () => {
    const hashed = await passwords.hash('right');
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
    expect(await passwords.verify(hashed, 'right')).toBe(true);
    expect(await passwords.verify(hashed, 'wrong')).toBe(false);
  });

  it('does the same work for a user without a password as for one with', async () => {
    const hashed = await passwords.hash('right');
    expect(await runsOf(() => passwords.verify(hashed, 'wrong'))).toBe(1);
    expect(await runsOf(() => passwords.verify(null, 'wrong'))).toBe(1);
    expect(await runsOf(() => passwords.verify(undefined, 'wrong'))).toBe(1);
  });

  it('lets nobody in where there is no hash', async () => {
    expect(await passwords.verify(undefined, '')).toBe(false);
  });
});
