import { recordAtOnce } from '../servers/instance-actions/record-at-once.js';
import { bareBody, defineAction } from './server-action.js';

/**
 * Nova API reference, "Trigger Crash Dump In Server": an interrupt that no guest can mask. What it
 * makes of it is the guest's.
 */
export const triggerCrashDumpAction = defineAction({
  name: 'trigger_crash_dump',
  body: bareBody('trigger_crash_dump'),
  since: 17,
  states: ['active', 'paused', 'rescued', 'resized', 'error'],
  async run(ctx, server, _body, { guestConsole }) {
    await recordAtOnce(ctx, server, 'trigger_crash_dump', () =>
      guestConsole.interrupt(ctx, server),
    );
    return undefined;
  },
});
