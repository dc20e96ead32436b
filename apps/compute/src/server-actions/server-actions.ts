/** Every action that Nova knows. Public source: Nova API reference, "Servers - run an action". */
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import {
  getRdpConsoleAction,
  getSerialConsoleAction,
  getSpiceConsoleAction,
  getVncConsoleAction,
} from './console.actions.js';
import { createBackupAction, createImageAction } from './create-image.action.js';
import { forceDeleteAction, restoreAction } from './deferred-delete.actions.js';
import { changePasswordAction } from './change-password.action.js';
import { evacuateAction } from './evacuate.action.js';
import { getConsoleOutputAction } from './get-console-output.action.js';
import { lockAction } from './lock.action.js';
import { migrateLiveAction } from './migrate-live.action.js';
import { migrateAction } from './migrate.action.js';
import { injectNetworkInfoAction, resetNetworkAction } from './network-info.actions.js';
import {
  pauseAction,
  resumeAction,
  startAction,
  stopAction,
  suspendAction,
  unpauseAction,
} from './power.actions.js';
import {
  addFixedIpAction,
  addFloatingIpAction,
  addSecurityGroupAction,
  removeFixedIpAction,
  removeFloatingIpAction,
  removeSecurityGroupAction,
} from './port.actions.js';
import { rebuildAction } from './rebuild.action.js';
import { rescueAction, unrescueAction } from './rescue.actions.js';
import { rebootAction } from './reboot.action.js';
import { resetStateAction } from './reset-state.action.js';
import { confirmResizeAction, resizeAction, revertResizeAction } from './resize.actions.js';
import { shelveAction, shelveOffloadAction, unshelveAction } from './shelve.actions.js';
import type { ServerAction } from './server-action.js';
import { triggerCrashDumpAction } from './trigger-crash-dump.action.js';
import { unlockAction } from './unlock.action.js';

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
