import { reachable } from '@cumulet/common/auth/project-access';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { NotFoundError } from '../stacks/stack.errors.js';
import { SoftwareDeployment } from './software-deployment.entity.js';

class SoftwareDeployments extends Table<SoftwareDeployment> {
  /** One that the caller may use. @throws NotFoundError */
  async visible(ctx: RequestContext, id: string): Promise<SoftwareDeployment> {
    if (!isUuid(id)) throw this.missing(id);
    return this.get(ctx, id, reachable(ctx));
  }
}

export const softwareDeployments = new SoftwareDeployments(SoftwareDeployment, {
  missing: (key) => new NotFoundError(`Deployment with id ${rowOf(key).id ?? ''} not found`),
  refusals: {
    software_deployments_config_fkey: ({ configId = '' }) =>
      new NotFoundError(`Software config with id ${configId} not found`),
  },
});
