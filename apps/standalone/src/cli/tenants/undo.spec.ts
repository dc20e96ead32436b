import { describe, expect, it } from '@jest/globals';
import { CommandError } from '../command-error.js';
import { allOrNothing } from './undo.js';

describe('work that is done as a whole or not at all', () => {
  it('is left as it is where it succeeds', async () => {
    const done = allOrNothing((undo) => {
      undo.add('the house', () => Promise.reject(new Error('must not be removed')));
      return Promise.resolve('done');
    });
    expect(await done).toBe('done');
  });

  it('removes what it had made, last first, and says so beside the reason', async () => {
    const removed: string[] = [];
    const work = allOrNothing((undo) => {
      for (const what of ['the house', 'the roof'])
        undo.add(what, () => Promise.resolve(removed.push(what)));
      return Promise.reject(new CommandError('No window was found.'));
    });
    await expect(work).rejects.toThrow(
      new CommandError('No window was found. Removed again: the roof, the house.'),
    );
    expect(removed).toEqual(['the roof', 'the house']);
  });

  it('says what it could not remove, and removes the rest', async () => {
    const work = allOrNothing((undo) => {
      undo.add('the house', () => Promise.resolve());
      undo.add('the roof', () => Promise.reject(new Error('stuck')));
      return Promise.reject(new CommandError('Interrupted'));
    });
    await expect(work).rejects.toThrow(
      new CommandError(
        'Interrupted. Removed again: the house. Could not be removed again: the roof.',
      ),
    );
  });

  it('fails with the reason alone where there is nothing to remove', async () => {
    const reason = new CommandError('There is no role x');
    await expect(allOrNothing(() => Promise.reject(reason))).rejects.toBe(reason);
  });
});
