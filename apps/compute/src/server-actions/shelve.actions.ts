/** Public source: Nova API reference, "Servers - run an action", shelving. */
import { ObjectField, StringField } from '@cumulet/common/http/fields';
import { refuseBefore } from '../versions/microversions.js';
import { SHELVE_EVENTS } from './snapshots/snapshots.service.js';
import { bareBody, defineAction } from './server-action.js';

/** Nova API reference, "Shelve Server (shelve Action)". */
export const shelveAction = defineAction({
  name: 'shelve',
  body: bareBody('shelve'),
  events: [...new Set(Object.values(SHELVE_EVENTS))],
  async run(ctx, server, _body, { snapshots }) {
    await snapshots.shelve(ctx, server);
    return undefined;
  },
});

/** Nova API reference, "Shelf-Offload (Remove) Server (shelveOffload Action)". */
export const shelveOffloadAction = defineAction({
  name: 'shelveOffload',
  body: bareBody('shelveOffload'),
  role: 'admin',
  events: ['shelve-offload'],
});

export class UnshelveDto {
  @StringField({
    optional: true,
    nullable: true,
    description: 'Where it is to be from now on; null: anywhere. Since 2.77, null since 2.91.',
  })
  availability_zone?: string | null;

  @StringField({ optional: true, description: 'The host, for administrators. Since 2.91.' })
  host?: string;
}

export class UnshelveBody {
  @ObjectField(() => UnshelveDto, { nullable: true })
  unshelve: UnshelveDto | null;
}

/** Nova API reference, "Unshelve (Restore) Shelved Server (unshelve Action)". */
export const unshelveAction = defineAction<UnshelveBody>({
  name: 'unshelve',
  body: UnshelveBody,
  events: ['unshelve', 'unshelve-here'],
  async run(ctx, server, { unshelve }, { snapshots }) {
    const { availability_zone: zone, host } = unshelve ?? {};
    if (zone !== undefined) refuseBefore(ctx, 77, 'unshelve.availability_zone');
    if (zone === null) refuseBefore(ctx, 91, 'unshelve.availability_zone as null');
    if (host !== undefined) refuseBefore(ctx, 91, 'unshelve.host');
    await snapshots.unshelve(ctx, server, unshelve ?? {});
    return undefined;
  },
});
