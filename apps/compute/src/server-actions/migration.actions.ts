import { ObjectField, StringField, BooleanField, CheckedField } from '@cumulet/common/http/fields';
import { InvalidInputError, UnsupportedOperationError } from '@cumulet/common/errors/domain-error';
import { refuseBefore, refuseAfter, versionOf } from '../versions/microversions.js';
import { defineAction } from './server-action.js';
import { ResizeService } from './resize/resize.service.js';
import { HostRepository } from '../hosts/host.repository.js';
import { EvacuateService } from './evacuate/evacuate.service.js';

export class MigrateDto {
  @StringField({
    optional: true,
    nullable: true,
    description: 'Where it goes; the scheduler chooses otherwise. Since 2.56.',
  })
  host?: string | null;
}

export class MigrateBody {
  @ObjectField(() => MigrateDto, { nullable: true })
  migrate: MigrateDto | null;
}

/** Nova API reference, "Migrate Server (migrate Action)". */
export const migrateAction = defineAction<MigrateBody>({
  name: 'migrate',
  body: MigrateBody,
  role: 'admin',
  events: ['resize'],
  async run(ctx, server, { migrate }, use) {
    const { host } = migrate ?? {};
    if (host !== undefined) refuseBefore(ctx, 56, 'migrate.host');
    await use(ResizeService).migrate(ctx, server, host ?? undefined);
    return undefined;
  },
});

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
  async run(ctx, server, body, use) {
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
    if (host !== null && !(await use(HostRepository).find(ctx, host)))
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
  async run(ctx, server, { evacuate }, use) {
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
    const adminPass = await use(EvacuateService).evacuate(ctx, server, evacuate);
    return version.atLeast(14) ? undefined : { adminPass };
  },
});
