import { reachable } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { preparedRows } from '@cumulet/common/database/rows';
import { rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { NotFoundError } from '../rows/stack.errors.js';
import { SoftwareDeployment } from './software-deployment.entity.js';

class SoftwareDeployments extends Table<SoftwareDeployment> {
  /** @throws NotFoundError if the caller may not use it */
  async visible(ctx: RequestContext, id: string): Promise<SoftwareDeployment> {
    if (!isUuid(id)) throw this.missing(id);
    return this.get(ctx, id, reachable(ctx));
  }

  /** Ends a deployment in progress; one that is over or missing is left alone. */
  async cancel({ manager }: RequestContext, projectId: string, id: string): Promise<void> {
    if (!isUuid(id)) return;
    await preparedRows(
      manager,
      `UPDATE software_deployments
          SET status = 'FAILED', status_reason = 'Deployment cancelled.', updated_at = now()
        WHERE id = $1 AND project_id = $2 AND status = 'IN_PROGRESS'`,
      [id, projectId],
    );
  }
}

export const softwareDeployments = new SoftwareDeployments(SoftwareDeployment, {
  missing: (key) => new NotFoundError(`Deployment with id ${rowOf(key).id ?? ''} not found`),
  refusals: {
    software_deployments_config_fkey: ({ configId = '' }) =>
      new NotFoundError(`Software config with id ${configId} not found`),
  },
});
