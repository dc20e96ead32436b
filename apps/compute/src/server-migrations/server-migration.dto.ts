import { isUuid } from '@cumulet/common/context/ids';
import { CheckedField, IntegerField, StringField, UuidField } from '@cumulet/common/http/fields';
import { compares, equals, type Condition } from '@cumulet/common/tables/condition';
import { FilteredBy, SortedBy } from '@cumulet/common/tables/listing';
import { TimeField } from '../http/times.js';

const NONE: Condition = () => 'false';

/** Public source: Nova API reference, "List Migrations". */
@SortedBy(['-createdAt'])
export class ListMigrationsQuery {
  @IntegerField({ optional: true, fromText: true, description: 'Since 2.59.' })
  limit?: number;

  @UuidField({ optional: true, description: 'The uuid of a migration. Since 2.59.' })
  marker?: string;

  @StringField({ optional: true, min: 0, description: 'From or to this host.' })
  host?: string;

  @FilteredBy((host: string) => equals('sourceHost', host))
  @StringField({ optional: true, min: 0 })
  source_compute?: string;

  @FilteredBy()
  @StringField({ optional: true, min: 0 })
  status?: string;

  @FilteredBy((type: string) => equals('type', type))
  @StringField({ optional: true, min: 0 })
  migration_type?: string;

  @FilteredBy((id: string) => (isUuid(id) ? equals('serverId', id) : NONE))
  @StringField({ optional: true, min: 0 })
  instance_uuid?: string;

  @FilteredBy((hidden: string) => (/^(1|true|yes|on)$/i.test(hidden) ? NONE : undefined))
  @StringField({ optional: true, min: 0, description: 'No migration is hidden.' })
  hidden?: string;

  @FilteredBy((time: string) => compares('updatedAt', 'gte', new Date(time)))
  @TimeField()
  'changes-since'?: string;

  /** Since 2.66. */
  @FilteredBy((time: string) => compares('updatedAt', 'lte', new Date(time)))
  @TimeField()
  'changes-before'?: string;

  @FilteredBy()
  @StringField({ optional: true, min: 0, description: 'Since 2.80.' })
  user_id?: string;

  @FilteredBy()
  @StringField({ optional: true, min: 0, description: 'Since 2.80.' })
  project_id?: string;
}

/**
 * Each is found by an index of its own, in the order of the list.
 * @returns what migrations from the host meet, and what others to it
 */
export function atEitherEnd(host: string): Condition[] {
  return [
    equals('sourceHost', host),
    (bind, column) =>
      `${column('destHost')} = ${bind(host)} AND ${column('sourceHost')} IS DISTINCT FROM ${bind(host)}`,
  ];
}

const NOTHING = { type: 'object', additionalProperties: false } as const;

export class ForceCompleteBody {
  @CheckedField(() => false, 'must be null', NOTHING, { nullable: true })
  force_complete: null;
}
