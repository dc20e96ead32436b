import { BooleanField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { refuseBefore, versionOf } from '../versions/microversions.js';
import { defineAction } from './server-action.js';

export class EvacuateDto {
  @StringField({ optional: true, description: 'Where it goes; the scheduler chooses otherwise.' })
  host?: string;

  @StringField({ optional: true })
  adminPass?: string;

  @BooleanField({
    optional: true,
    fromText: true,
    description: 'Until 2.13, and never true: no hosts share the disks of guests.',
  })
  onSharedStorage?: boolean;

  @BooleanField({ optional: true, fromText: true, description: 'From 2.29 to 2.67; not true.' })
  force?: boolean;
}

export class EvacuateBody {
  @ObjectField(() => EvacuateDto)
  evacuate: EvacuateDto;
}

/** Nova API reference, "Evacuate Server (evacuate Action)": 200, with the password until 2.13. */
export const evacuateAction = defineAction<EvacuateBody>({
  name: 'evacuate',
  body: EvacuateBody,
  role: 'admin',
  events: ['evacuate'],
  evenLocked: true,
  status: 200,
  async run(ctx, server, { evacuate }, { evacuations }) {
    const version = versionOf(ctx);
    const { onSharedStorage, force } = evacuate;
    if (onSharedStorage !== undefined && version.atLeast(14))
      throw new InvalidInputError(
        'Invalid input: evacuate.onSharedStorage ended with microversion 2.13.',
      );
    if (onSharedStorage === undefined && !version.atLeast(14))
      throw new InvalidInputError(
        'Invalid input: evacuate.onSharedStorage is required until 2.13.',
      );
    if (onSharedStorage)
      throw new InvalidInputError(
        'Invalid input: evacuate.onSharedStorage cannot be true: no hosts share the disks of guests.',
      );
    if (force !== undefined) refuseBefore(ctx, 29, 'evacuate.force');
    if (force)
      throw new InvalidInputError(
        'Invalid input: evacuate.force cannot be true: the scheduler always checks the host.',
      );
    const adminPass = await evacuations.evacuate(ctx, server, evacuate);
    return version.atLeast(14) ? undefined : { adminPass };
  },
});
