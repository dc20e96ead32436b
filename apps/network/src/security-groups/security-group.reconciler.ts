import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { Reconciles } from '@cumulet/common/service/background';
import { AppliedReconciler } from '../resource/applied.reconciler.js';
import { securityGroups } from './default-group.js';
import { securityGroupSpecOf } from './security-group-spec.js';
import type { SecurityGroup } from './security-group.entity.js';
import { securityGroupStates } from './security-group.states.js';

@Reconciles()
@Injectable()
export class SecurityGroupReconciler extends AppliedReconciler<SecurityGroup> {
  readonly states = securityGroupStates;
  protected readonly table = securityGroups;
  protected readonly title = 'SecurityGroup';

  protected async ensure(ctx: RequestContext, row: SecurityGroup): Promise<void> {
    await this.dataPlane.ensureSecurityGroup(await securityGroupSpecOf(ctx, row));
  }

  protected remove(id: string): Promise<void> {
    return this.dataPlane.removeSecurityGroup(id);
  }
}
