/** Actions that change disk, flavor or host (Nova API reference, "Servers - run an action"). */
import {
  BooleanField,
  CheckedField,
  EnumField,
  StringField,
  UuidField,
} from '@cumulet/common/http/fields';
import { InvalidInputError, UnsupportedOperationError } from '@cumulet/common/errors/domain-error';
import { HostRepository, HostStatuses } from '../hosts/host.repository.js';
import { DISK_CONFIGS, type DiskConfig } from '../servers/server.entity.js';
import { rebuiltServerView } from '../servers/server.view.js';
import { ServersService } from '../servers/servers.service.js';
import { refuseBefore, refuseAfter, versionOf } from '../versions/microversions.js';
import { EvacuateService } from './evacuate/evacuate.service.js';
import { RebuildDto } from './rebuild/rebuild.dto.js';
import { RebuildService } from './rebuild/rebuild.service.js';
import { RescueService } from './rescue/rescue.service.js';
import { ResizeService } from './resize/resize.service.js';
import { defineAction } from './server-action.js';

class EvacuateDto {
  @StringField({ optional: true, description: 'The destination host; by default any.' })
  host?: string;

  @StringField({ optional: true })
  adminPass?: string;

  @BooleanField({
    optional: true,
    fromText: true,
    description: 'Until 2.13; must be false, since hosts do not share the disks of guests.',
  })
  onSharedStorage?: boolean;

  @BooleanField({
    optional: true,
    fromText: true,
    description: 'From 2.29 to 2.67; must not be true.',
  })
  force?: boolean;
}

class RescueDto {
  @StringField({ optional: true })
  adminPass?: string;

  @UuidField({ optional: true, description: "The image to boot; by default the server's own." })
  rescue_image_ref?: string;
}

class ResizeDto {
  @StringField({ description: 'The ID or the address of a flavor.' })
  flavorRef: string;

  @EnumField(DISK_CONFIGS, { optional: true })
  'OS-DCF:diskConfig'?: DiskConfig;
}

class MigrateDto {
  @StringField({
    optional: true,
    nullable: true,
    description: 'The destination host; by default any. Since 2.56.',
  })
  host?: string | null;
}

const WORDS = /^(true|1|yes|on|t|y|false|0|no|off|f|n|auto)$/i;

class MigrateLiveDto {
  @StringField({ nullable: true, description: 'The destination host; null for any.' })
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

export const MIGRATION_ACTIONS = [
  defineAction({
    name: 'rebuild',
    takes: RebuildDto,
    events: ['rebuild'],
    async run(ctx, server, dto, use) {
      const adminPass = await use(RebuildService).rebuild(ctx, server, dto);
      const now = await use(ServersService).get(ctx, server.id);
      return { server: rebuiltServerView(ctx, now, await use(HostStatuses).of(ctx), adminPass) };
    },
  }),
  defineAction({
    name: 'evacuate',
    takes: EvacuateDto,
    role: 'admin',
    events: ['evacuate'],
    evenLocked: true,
    status: 200,
    async run(ctx, server, dto, use) {
      const showsPassword = !versionOf(ctx).atLeast(14);
      const { onSharedStorage, force } = dto;
      if (onSharedStorage !== undefined) refuseAfter(ctx, 13, 'evacuate.onSharedStorage');
      else if (showsPassword)
        throw new InvalidInputError(
          'Invalid input: evacuate.onSharedStorage is required until 2.13.',
        );
      if (onSharedStorage)
        throw new InvalidInputError(
          'Invalid input: evacuate.onSharedStorage cannot be true: hosts do not share the disks of guests.',
        );
      if (force !== undefined) refuseBefore(ctx, 29, 'evacuate.force');
      if (force)
        throw new InvalidInputError(
          'Invalid input: evacuate.force cannot be true: the scheduler always checks the host.',
        );
      const adminPass = await use(EvacuateService).evacuate(ctx, server, dto);
      return showsPassword ? { adminPass } : undefined;
    },
  }),
  defineAction({
    name: 'rescue',
    takes: RescueDto,
    nullable: true,
    events: ['rescue'],
    status: 200,
    async run(ctx, server, dto, use) {
      return { adminPass: await use(RescueService).rescue(ctx, server, dto) };
    },
  }),
  defineAction({ name: 'unrescue', events: ['unrescue'] }),
  defineAction({
    name: 'resize',
    takes: ResizeDto,
    events: ['resize'],
    run: (ctx, server, dto, use) =>
      use(ResizeService).resize(ctx, server, dto.flavorRef, dto['OS-DCF:diskConfig']),
  }),
  defineAction({
    name: 'migrate',
    takes: MigrateDto,
    nullable: true,
    role: 'admin',
    events: ['resize'],
    run(ctx, server, { host }, use) {
      if (host !== undefined) refuseBefore(ctx, 56, 'migrate.host');
      return use(ResizeService).migrate(ctx, server, host ?? undefined);
    },
  }),
  // Checked as by Nova; a valid request needs hosts that share guests' disks.
  defineAction({
    name: 'os-migrateLive',
    takes: MigrateLiveDto,
    role: 'admin',
    states: ['active', 'paused'],
    async run(ctx, server, dto, use) {
      const { host, block_migration: block, disk_over_commit: over, force } = dto;
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
  }),
  defineAction({ name: 'confirmResize', events: ['confirm-resize'], status: 204 }),
  defineAction({ name: 'revertResize', events: ['revert-resize'] }),
];
