import { ObjectField, StringField } from '@cumulet/common/http/fields';
import { refuseBefore } from '../versions/microversions.js';
import { defineAction } from './server-action.js';

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
  async run(ctx, server, { migrate }, { resizes }) {
    const { host } = migrate ?? {};
    if (host !== undefined) refuseBefore(ctx, 56, 'migrate.host');
    await resizes.migrate(ctx, server, host ?? undefined);
    return undefined;
  },
});
