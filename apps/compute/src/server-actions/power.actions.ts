/** The actions that only change whether a guest runs, and take nothing. */
import { EnumField, ObjectField } from '@cumulet/common/http/fields';
import { bareBody, defineAction } from './server-action.js';
import { ServersService } from '../servers/servers.service.js';

/** Nova API reference, "Start Server (os-start Action)". */
export const startAction = defineAction({
  name: 'os-start',
  verb: 'start',
  body: bareBody('os-start'),
  events: ['start'],
});

/** Nova API reference, "Stop Server (os-stop Action)". */
export const stopAction = defineAction({
  name: 'os-stop',
  verb: 'stop',
  body: bareBody('os-stop'),
  events: ['stop'],
});

/** Nova API reference, "Pause Server (pause Action)". */
export const pauseAction = defineAction({
  name: 'pause',
  body: bareBody('pause'),
  events: ['pause'],
});

/** Nova API reference, "Unpause Server (unpause Action)". */
export const unpauseAction = defineAction({
  name: 'unpause',
  body: bareBody('unpause'),
  events: ['unpause'],
});

/** Nova API reference, "Suspend Server (suspend Action)". */
export const suspendAction = defineAction({
  name: 'suspend',
  body: bareBody('suspend'),
  events: ['suspend'],
});

/** Nova API reference, "Resume Suspended Server (resume Action)". */
export const resumeAction = defineAction({
  name: 'resume',
  body: bareBody('resume'),
  events: ['resume'],
});

export class RebootDto {
  @EnumField(['SOFT', 'HARD', 'Soft', 'Hard', 'soft', 'hard'])
  type: string;
}

export class RebootBody {
  @ObjectField(() => RebootDto)
  reboot: RebootDto;
}

/** Nova API reference, "Reboot Server (reboot Action)". */
export const rebootAction = defineAction<RebootBody>({
  name: 'reboot',
  body: RebootBody,
  events: ['reboot', 'hard-reboot'],
  async run(ctx, server, { reboot }, use) {
    const event = reboot.type.toUpperCase() === 'HARD' ? 'hard-reboot' : 'reboot';
    await use(ServersService).change(ctx, server, event, 'reboot');
    return undefined;
  },
});
