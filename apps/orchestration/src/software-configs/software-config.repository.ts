import type { RequestContext } from '@cumulet/common/context/request-context';
import { isUuid } from '@cumulet/common/context/ids';
import { reachable } from '@cumulet/common/auth/project-access';
import { rowOf } from '@cumulet/common/tables/condition';
import { Table } from '@cumulet/common/tables/table';
import { NotFoundError } from '../rows/stack.errors.js';
import { InvalidRestrictedActionError } from '../template/template.errors.js';
import { SoftwareConfig } from './software-config.entity.js';

class SoftwareConfigs extends Table<SoftwareConfig> {
  /** @throws NotFoundError if the caller may not use it */
  async visible(ctx: RequestContext, id: string): Promise<SoftwareConfig> {
    if (!isUuid(id)) throw this.missing(id);
    return this.get(ctx, id, reachable(ctx));
  }
}

export const softwareConfigs = new SoftwareConfigs(SoftwareConfig, {
  missing: (key) => new NotFoundError(`Software config with id ${rowOf(key).id ?? ''} not found`),
  refusals: {
    software_deployments_config_fkey: ({ id = '' }) =>
      new InvalidRestrictedActionError(
        `Software config with id ${id} can not be deleted as it is referenced.`,
      ),
  },
});
