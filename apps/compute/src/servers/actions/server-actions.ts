/** Every action that Nova knows: those offered, and those refused by name. */
import { InvalidInputError, UnsupportedOperationError } from '@cumulet/common/errors/domain-error';
import { getConsoleOutputAction } from './get-console-output.action.js';
import { rebootAction } from './reboot.action.js';
import type { ServerAction } from './server-action.js';
import { startAction } from './start.action.js';
import { stopAction } from './stop.action.js';

export const SERVER_ACTIONS: readonly ServerAction[] = [
  startAction,
  stopAction,
  rebootAction,
  getConsoleOutputAction,
];

/** Public source: Nova API reference, "Servers - run an action" and "… an administrative action". */
const NOT_OFFERED: readonly string[] = [
  'addFixedIp',
  'addFloatingIp',
  'addSecurityGroup',
  'changePassword',
  'confirmResize',
  'createBackup',
  'createImage',
  'evacuate',
  'forceDelete',
  'injectNetworkInfo',
  'lock',
  'migrate',
  'os-getSPICEConsole',
  'os-getSerialConsole',
  'os-getVNCConsole',
  'os-migrateLive',
  'os-resetState',
  'pause',
  'rebuild',
  'removeFixedIp',
  'removeFloatingIp',
  'removeSecurityGroup',
  'rescue',
  'resetNetwork',
  'resize',
  'restore',
  'resume',
  'revertResize',
  'shelve',
  'shelveOffload',
  'suspend',
  'trigger_crash_dump',
  'unlock',
  'unpause',
  'unrescue',
  'unshelve',
];

/**
 * The action that a body asks for by its one key.
 * @throws InvalidInputError when there is not exactly one key, or it is unknown
 * @throws UnsupportedOperationError for an action of Nova's that is not offered
 */
export function actionOf(body: unknown): ServerAction {
  const keys = typeof body === 'object' && body !== null ? Object.keys(body) : [];
  const [name] = keys;
  if (name === undefined || keys.length !== 1) {
    throw new InvalidInputError(
      'Invalid input: the body must be an object with one key, which names the action.',
    );
  }
  const action = SERVER_ACTIONS.find((one) => one.name === name);
  if (action) return action;
  if (NOT_OFFERED.includes(name))
    throw new UnsupportedOperationError(`The server action '${name}'`);
  throw new InvalidInputError(`There is no such action: ${name.slice(0, 255)}.`);
}
