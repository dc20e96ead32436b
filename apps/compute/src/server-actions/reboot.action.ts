import { EnumField, ObjectField } from '@cumulet/common/http/fields';
import { defineAction } from './server-action.js';

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
  async run(ctx, server, { reboot }, { servers }) {
    const event = reboot.type.toUpperCase() === 'HARD' ? 'hard-reboot' : 'reboot';
    await servers.change(ctx, server, event, 'reboot');
    return undefined;
  },
});
