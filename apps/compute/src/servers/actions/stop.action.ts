import { CheckedField } from '@cumulet/common/http/fields';
import { requirePlaced } from './require-placed.js';
import { defineAction } from './server-action.js';

export class StopBody {
  @CheckedField(() => true, '', { type: 'object', additionalProperties: true }, { nullable: true })
  'os-stop': unknown;
}

/** Nova API reference, "Stop Server (os-stop Action)". */
export const stopAction = defineAction({
  name: 'os-stop',
  body: StopBody,
  status: 202,
  async run(ctx, server, _body, { servers }) {
    requirePlaced(server, 'stop');
    await servers.change(ctx, server, 'stop', 'stop');
    return undefined;
  },
});
