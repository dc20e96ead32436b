import { EnumField, ObjectField } from '@cumulet/common/http/fields';
import { requirePlaced } from './require-placed.js';
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
  status: 202,
  async run(ctx, server, { reboot }, { servers }) {
    requirePlaced(server, 'reboot');
    const event = reboot.type.toUpperCase() === 'HARD' ? 'hard-reboot' : 'reboot';
    await servers.change(ctx, server, event, 'reboot');
    return undefined;
  },
});
