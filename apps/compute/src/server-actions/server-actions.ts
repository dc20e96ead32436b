/** Every action of Nova's. Public source: Nova API reference, "Servers - run an action". */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { CONSOLE_ACTIONS, GUEST_ACTIONS } from './guest.actions.js';
import { IMAGE_ACTIONS } from './image.actions.js';
import { MIGRATION_ACTIONS } from './migration.actions.js';
import { NETWORK_ACTIONS } from './network.actions.js';
import { LOCK_ACTIONS, POWER_ACTIONS, STATE_ACTIONS } from './power.actions.js';
import type { DefinedAction } from './server-action.js';

export const SERVER_ACTIONS: readonly DefinedAction[] = [
  ...POWER_ACTIONS,
  ...GUEST_ACTIONS,
  ...MIGRATION_ACTIONS,
  ...LOCK_ACTIONS,
  ...IMAGE_ACTIONS,
  ...STATE_ACTIONS,
  ...NETWORK_ACTIONS,
  ...CONSOLE_ACTIONS,
];

/** @throws InvalidInputError unless there is exactly one known key */
export function actionOf(body: unknown): DefinedAction {
  const keys = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  const [name] = keys;
  if (name === undefined || keys.length !== 1) {
    throw new InvalidInputError(
      'Invalid input: the body must be an object with one key, which names the action.',
    );
  }
  const action = SERVER_ACTIONS.find((one) => one.name === name);
  if (action) return action;
  throw new InvalidInputError(`The server action '${name.slice(0, 255)}' does not exist.`);
}
