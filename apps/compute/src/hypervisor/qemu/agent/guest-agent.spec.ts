/** The agent's protocol, over a socket. */
import { access, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../contract/harness.fixture.js';
import { FakeAgent } from './fake-agent.fixture.js';
import { thawIfFrozen, whileFrozen } from './guest-freeze.js';
import { GuestAgent } from './guest-agent.js';

/** For answers that come. */
const PATIENT = { greetingMs: 30_000, workMs: 30_000 };
/** For answers that never come. */
const NOBODY = { ...PATIENT, greetingMs: 100 };
const SILENT = { ...PATIENT, workMs: 100 };
const [FREEZE, THAW] = ['guest-fsfreeze-freeze', 'guest-fsfreeze-thaw'];

let fake: FakeAgent;

beforeEach(async () => {
  fake = await FakeAgent.start();
});
afterEach(() => fake.close());

function setPassword(password = 'horse', patience = PATIENT): Promise<void> {
  return GuestAgent.with(fake.folder, (agent) => agent.setPassword('root', password), patience);
}

describe('a password', () => {
  it('is set', async () => {
    await setPassword('höʀse\n');
    const password = Buffer.from('höʀse\n').toString('base64');
    expect(fake.heard).toEqual([
      {
        execute: 'guest-set-user-password',
        arguments: { username: 'root', password, crypted: false },
      },
    ]);
  });

  it('is set despite whole and half answers to an earlier client', async () => {
    fake.leftOver = '{"return": 7}\n{"error": {"desc": "no"}}\n{"retu';
    await setPassword();
    expect(fake.commands).toEqual(['guest-set-user-password']);
  });

  it('is not set by an agent that refuses, whose text stays private', async () => {
    fake.answer = () => ({ error: { class: 'GenericError', desc: 'secret of the guest' } });
    await expectFailure(setPassword(), 'not-ready', /^The agent in the guest refuses\.$/);
  });

  it('is not set if no agent answers', async () => {
    fake.answer = () => undefined;
    await expectFailure(setPassword('horse', NOBODY), 'not-ready', /does not answer/);
    expect(fake.heard).toEqual([]);
  });

  it('is not known to be set by an agent that falls silent', async () => {
    fake.answer = ({ execute }) => (execute.startsWith('guest-sync') ? {} : undefined);
    await expectFailure(setPassword('horse', SILENT), 'not-ready', /does not answer/);
  });

  it('is not set by an agent that answers without end', async () => {
    fake.leftOver = 'x'.repeat(2 ** 20);
    await expectFailure(setPassword(), 'not-ready', /does not answer/);
  });
});

describe('a guest is frozen', () => {
  const isMarked = (): Promise<boolean> =>
    access(fake.folder.frozen).then(
      () => true,
      () => false,
    );

  it('while work is done', async () => {
    const seen = await whileFrozen(fake.folder, true, async () => ({
      before: [...fake.commands],
      marked: await isMarked(),
    }));
    expect(seen).toEqual({ before: [FREEZE], marked: true });
    expect(fake.commands).toEqual([FREEZE, THAW]);
    expect(await isMarked()).toBe(false);
  });

  it('no longer once work has failed', async () => {
    const work = (): Promise<void> => Promise.reject(new Error('disk'));
    await expect(whileFrozen(fake.folder, false, work)).rejects.toThrow('disk');
    expect(fake.commands).toEqual([FREEZE, THAW]);
  });

  it('no longer once a process resumes after a crash', async () => {
    const death = new Promise<never>(() => undefined);
    let arrived: () => void;
    const working = new Promise<void>((resolve) => (arrived = resolve));
    void whileFrozen(fake.folder, false, () => {
      arrived();
      return death;
    });
    await working;
    await thawIfFrozen(fake.folder);
    expect(fake.commands).toEqual([FREEZE, THAW]);
    await thawIfFrozen(fake.folder);
    expect(fake.commands).toEqual([FREEZE, THAW]);
  });

  it.each([false, true])('or not, by an agent that refuses; required: %s', async (isRequired) => {
    fake.answer = ({ execute }) => (execute === FREEZE ? { error: { desc: 'no' } } : { return: 0 });
    const work = whileFrozen(fake.folder, isRequired, () => Promise.resolve('done'));
    if (isRequired) await expectFailure(work, 'not-ready', /os_require_quiesce/);
    else expect(await work).toBe('done');
    expect(fake.commands).toEqual([FREEZE, THAW]);
  });

  it('for good by an agent that does not thaw it, which is reported', async () => {
    await writeFile(fake.folder.frozen, '');
    fake.answer = () => ({ error: { desc: 'no' } });
    await expectFailure(thawIfFrozen(fake.folder, 0), 'not-ready', /stand still/);
    expect(await isMarked()).toBe(false);
  });
});
