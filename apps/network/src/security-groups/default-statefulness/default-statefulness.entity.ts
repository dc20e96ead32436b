import { Entity, Index } from 'typeorm';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { rowOf } from '@cumulet/common/resources/classes';
import { Table } from '@cumulet/common/tables/table';
import * as errors from './default-statefulness.errors.js';
import { DEFAULT_STATEFULNESS } from './default-statefulness.resource.js';

/** Whether new security groups are stateful that do not say: of one project, or of all others. */
@Entity('security_group_defaults')
// Unique by COALESCE(project_id, ''), which TypeORM has no words for.
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

/** What the context's project says, or else what holds for all, or else that they are. */
export async function defaultStateful({ manager, projectId }: RequestContext): Promise<boolean> {
  const [row] = await preparedRows<{ stateful: boolean }>(
    manager,
    `SELECT stateful FROM security_group_defaults WHERE project_id = $1 OR project_id IS NULL
      ORDER BY project_id NULLS LAST LIMIT 1`,
    [projectId],
  );
  return row?.stateful ?? true;
}
