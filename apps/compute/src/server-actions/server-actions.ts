/** Every action that Nova knows. Public source: Nova API reference, "Servers - run an action". */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  getRdpConsoleAction,
  getSerialConsoleAction,
  getSpiceConsoleAction,
  getVncConsoleAction,
  changePasswordAction,
  getConsoleOutputAction,
  triggerCrashDumpAction,
} from './guest.actions.js';
import {
  createBackupAction,
  createImageAction,
  shelveAction,
  shelveOffloadAction,
  unshelveAction,
} from './image.actions.js';
import { forceDeleteAction, restoreAction, resetStateAction } from './state.actions.js';
import { evacuateAction, migrateLiveAction, migrateAction } from './migration.actions.js';
import { lockAction, unlockAction } from './lock.actions.js';
import {
  injectNetworkInfoAction,
  resetNetworkAction,
  addFixedIpAction,
  addFloatingIpAction,
  addSecurityGroupAction,
  removeFixedIpAction,
  removeFloatingIpAction,
  removeSecurityGroupAction,
} from './network.actions.js';
import {
  pauseAction,
  resumeAction,
  startAction,
  stopAction,
  suspendAction,
  unpauseAction,
  rebootAction,
} from './power.actions.js';
import { rebuildAction, rescueAction, unrescueAction } from './rebuild.actions.js';
import { confirmResizeAction, resizeAction, revertResizeAction } from './resize.actions.js';
import type { ServerAction } from './server-action.js';

export const SERVER_ACTIONS: readonly ServerAction[] = [
  startAction,
  stopAction,
  rebootAction,
  pauseAction,
  unpauseAction,
  suspendAction,
  resumeAction,
  changePasswordAction,
  triggerCrashDumpAction,
  rebuildAction,
  evacuateAction,
  rescueAction,
  unrescueAction,
  resizeAction,
  migrateAction,
  migrateLiveAction,
  confirmResizeAction,
  revertResizeAction,
  lockAction,
  unlockAction,
  createImageAction,
  createBackupAction,
  shelveAction,
  shelveOffloadAction,
  unshelveAction,
  resetStateAction,
  forceDeleteAction,
  restoreAction,
  resetNetworkAction,
  injectNetworkInfoAction,
  addSecurityGroupAction,
  removeSecurityGroupAction,
  addFixedIpAction,
  removeFixedIpAction,
  addFloatingIpAction,
  removeFloatingIpAction,
  getConsoleOutputAction,
  getVncConsoleAction,
  getSerialConsoleAction,
  getSpiceConsoleAction,
  getRdpConsoleAction,
];

/**
 * The action that a body asks for by its one key.
 * @throws InvalidInputError when there is not exactly one key, or it is unknown
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
  throw new InvalidInputError(`There is no such action: ${name.slice(0, 255)}.`);
}
