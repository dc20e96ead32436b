import { describe, expect, it } from '@jest/globals';
import { CommandError } from '../command-error.js';
import { allOrNothing } from './undo.js';

describe('a group of steps', () => {
  it('is kept if all steps succeed', async () => {
    const done = allOrNothing((undo) => {
      undo.add('the house', () => Promise.reject(new Error('must not be removed')));
      return Promise.resolve('done');
    });
    expect(await done).toBe('done');
  });

  it('is undone in reverse order after a failure, which the error reports with the reason', async () => {
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

  it('reports what it cannot undo, and undoes the rest', async () => {
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

  it('fails with the reason only if there is nothing to undo', async () => {
    const reason = new CommandError('There is no role x');
    await expect(allOrNothing(() => Promise.reject(reason))).rejects.toBe(reason);
  });
});
