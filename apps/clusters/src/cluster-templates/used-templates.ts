import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import type { ClusterTemplateId } from './cluster-template.resource.js';

/** Whether any cluster is made of it. */
export async function hasClusters(
  { manager }: RequestContext,
  id: ClusterTemplateId,
): Promise<boolean> {
  const rows = await preparedRows(
    manager,
    'SELECT 1 AS one FROM clusters WHERE cluster_template_id = $1 LIMIT 1',
    [id],
  );
  return rows.length > 0;
}
