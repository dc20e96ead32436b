import { expect, it } from '@jest/globals';
import { verbOf } from '../../server-actions/server-action.js';
import { SERVER_ACTIONS } from '../../server-actions/server-actions.js';
import { instanceActionOf } from './instance-action-names.js';

it('every action that moves a server has a name in its history', () => {
  const unnamed = SERVER_ACTIONS.filter(
    (action) => action.events && instanceActionOf(verbOf(action)) === undefined,
  );
  expect(unnamed.map(({ name }) => name)).toEqual([]);
});

it('an action of which Nova keeps no history has none', () => {
  expect(instanceActionOf('os-getConsoleOutput')).toBeUndefined();
  expect(instanceActionOf('toString')).toBeUndefined();
});
