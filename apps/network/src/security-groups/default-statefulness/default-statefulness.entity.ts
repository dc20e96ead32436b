import { Entity, Index } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { rowOf } from '@cumulet/common/resources/classes';
import { Table } from '@cumulet/common/tables/table';
import * as errors from './default-statefulness.errors.js';
import { DEFAULT_STATEFULNESS } from './default-statefulness.resource.js';

/** The default of `stateful` for new security groups, of one project or of all others. */
@Entity('security_group_defaults')
// Unique by COALESCE(project_id, ''), which TypeORM cannot express.
@Index('security_group_defaults_key', { synchronize: false })
export class DefaultStatefulness extends rowOf(DEFAULT_STATEFULNESS) {}

export const defaultStatefulness = new Table(DefaultStatefulness, {
  missing: (key) =>
    new errors.SecurityGroupDefaultStatefulnessNotFoundError(
      typeof key === 'string' ? key : key.id,
    ),
  refusals: {
    security_group_defaults_key: ({ projectId = null }) =>
      new errors.SecurityGroupDefaultStatefulnessAlreadyExistsError(projectId),
  },
});

/** The project's default, or else the common one, or else stateful. */
export async function defaultStateful({ manager, projectId }: RequestContext): Promise<boolean> {
  const [row] = await preparedRows<{ stateful: boolean }>(
    manager,
    `SELECT stateful FROM security_group_defaults WHERE project_id = $1 OR project_id IS NULL
      ORDER BY project_id NULLS LAST LIMIT 1`,
    [projectId],
  );
  return row?.stateful ?? true;
}
