/**
 * Actions on servers by Nova's names, each with its host's step; null for actions that end with the
 * request. Public source: Nova, nova/compute/instance_actions.py; for the steps, the methods of
 * nova/compute/manager.py.
 */
export const INSTANCE_ACTIONS = {
  create: 'compute__do_build_and_run_instance',
  delete: 'compute_terminate_instance',
  start: 'compute_start_instance',
  stop: 'compute_stop_instance',
  reboot: 'compute_reboot_instance',
  pause: 'compute_pause_instance',
  unpause: 'compute_unpause_instance',
  suspend: 'compute_suspend_instance',
  resume: 'compute_resume_instance',
  rescue: 'compute_rescue_instance',
  unrescue: 'compute_unrescue_instance',
  rebuild: 'compute_rebuild_instance',
  evacuate: 'compute_rebuild_instance',
  resize: 'compute_finish_resize',
  migrate: 'compute_finish_resize',
  confirmResize: 'compute_confirm_resize',
  revertResize: 'compute_finish_revert_resize',
  'live-migration': 'compute_live_migration',
  shelve: 'compute_shelve_instance',
  shelveOffload: 'compute_shelve_offload_instance',
  unshelve: 'compute_unshelve_instance',
  createImage: 'compute_snapshot_instance',
  createBackup: 'compute_backup_instance',
  changePassword: 'compute_set_admin_password',
  trigger_crash_dump: 'compute_trigger_crash_dump',
  attach_interface: 'compute_attach_interface',
  detach_interface: 'compute_detach_interface',
  lock: null,
  unlock: null,
  resetState: null,
} as const satisfies Readonly<Record<string, string | null>>;

export type InstanceActionName = keyof typeof INSTANCE_ACTIONS;

/** Actions that the history names differently. */
const RENAMED: Readonly<Record<string, InstanceActionName>> = {
  'os-resetState': 'resetState',
  'os-migrateLive': 'live-migration',
};

/** @param asked name or verb of an action @returns undefined if Nova keeps no history of it */
export function instanceActionOf(asked: string): InstanceActionName | undefined {
  if (Object.hasOwn(RENAMED, asked)) return RENAMED[asked];
  return Object.hasOwn(INSTANCE_ACTIONS, asked) ? (asked as InstanceActionName) : undefined;
}
