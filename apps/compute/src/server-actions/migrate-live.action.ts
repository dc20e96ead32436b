import { BooleanField, CheckedField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { InvalidInputError, UnsupportedOperationError } from '@cumulet/common/errors/domain-error';
import { refuseAfter, refuseBefore, versionOf } from '../versions/microversions.js';
import { defineAction } from './server-action.js';

const WORDS = /^(true|1|yes|on|t|y|false|0|no|off|f|n|auto)$/i;

export class MigrateLiveDto {
  @StringField({ nullable: true, description: 'Where it goes; null leaves that to the scheduler.' })
  host: string | null;

  @CheckedField(
    (value) => typeof value === 'boolean' || (typeof value === 'string' && WORDS.test(value)),
    "must be a boolean, or since 2.25 'auto'",
    { oneOf: [{ type: 'boolean' }, { type: 'string' }] },
  )
  block_migration: boolean | string;

  @BooleanField({ optional: true, fromText: true, description: 'Until 2.24.' })
  disk_over_commit?: boolean;

  @BooleanField({ optional: true, fromText: true, description: 'From 2.30 to 2.67.' })
  force?: boolean;
}

export class MigrateLiveBody {
  @ObjectField(() => MigrateLiveDto)
  'os-migrateLive': MigrateLiveDto;
}

/**
 * Nova API reference, "Live-Migrate Server (os-migrateLive Action)". Judged as Nova judges it; what is
 * left then needs hosts that share the disks of guests, which none here do.
 */
export const migrateLiveAction = defineAction<MigrateLiveBody>({
  name: 'os-migrateLive',
  body: MigrateLiveBody,
  role: 'admin',
  states: ['active', 'paused'],
  async run(ctx, server, body, { hosts }) {
    const { host, block_migration: block, disk_over_commit: over, force } = body['os-migrateLive'];
    if (block === 'auto') refuseBefore(ctx, 25, "os-migrateLive.block_migration 'auto'");
    if (over !== undefined) refuseAfter(ctx, 24, 'os-migrateLive.disk_over_commit');
    else if (!versionOf(ctx).atLeast(25))
      throw new InvalidInputError(
        'Invalid input: os-migrateLive.disk_over_commit is required until 2.24.',
      );
    if (force !== undefined) {
      refuseBefore(ctx, 30, 'os-migrateLive.force');
      refuseAfter(ctx, 67, 'os-migrateLive.force');
    }
    if (force && host === null)
      throw new InvalidInputError("Can't force to a non-provided destination");
    if (host !== null && !(await hosts.find(ctx, host)))
      throw new InvalidInputError(`Compute host ${host} could not be found.`);
    if (host !== null && host === server.host)
      throw new InvalidInputError(
        `Unable to migrate instance (${server.id}) to current host (${host}).`,
      );
    throw new UnsupportedOperationError(
      "The server action 'os-migrateLive' between hosts that do not share the disks of guests",
    );
  },
});
