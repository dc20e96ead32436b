import { CheckedField } from '@cumulet/common/http/fields';
import { requirePlaced } from './require-placed.js';
import { defineAction } from './server-action.js';

export class StartBody {
  @CheckedField(() => true, '', { type: 'object', additionalProperties: true }, { nullable: true })
  'os-start': unknown;
}

/** Nova API reference, "Start Server (os-start Action)". */
export const startAction = defineAction({
  name: 'os-start',
  body: StartBody,
  status: 202,
  async run(ctx, server, _body, { servers }) {
    requirePlaced(server, 'start');
    await servers.change(ctx, server, 'start', 'start');
    return undefined;
  },
});
