import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import {
  phase,
  type Plan,
  type Reconciler,
  type Scope,
} from '@cumulet/common/reconcile/reconciler';
import { Reconciles } from '@cumulet/common/service/background';
import { equals } from '@cumulet/common/tables/condition';
import { DATA_PLANE, type DataPlane } from '../data-plane/data-plane.js';
import type { AppliedEvent, AppliedState } from '../resource/applied.states.js';
import { securityGroups } from './default-group.js';
import { securityGroupSpecOf } from './security-group-spec.js';
import type { SecurityGroup } from './security-group.entity.js';
import { securityGroupStates } from './security-group.states.js';

@Reconciles()
@Injectable()
export class SecurityGroupReconciler implements Reconciler<
  SecurityGroup,
  AppliedState,
  AppliedEvent
> {
  readonly states = securityGroupStates;
  readonly plans: Partial<Record<AppliedState, Plan<SecurityGroup, AppliedEvent>>> = {
    applying: {
      phases: [phase('ensureSecurityGroup', (scope) => this.ensure(scope))],
      then: 'applied',
    },
    removing: {
      phases: [
        phase('removeSecurityGroup', ({ row }) => this.dataPlane.removeSecurityGroup(row.id)),
        phase('forget', (scope) => this.forget(scope)),
      ],
    },
  };

  constructor(@Inject(DATA_PLANE) private readonly dataPlane: DataPlane) {}

  taskOf(): string {
    return 'security_group';
  }

  load(ctx: RequestContext, id: string): Promise<SecurityGroup | undefined> {
    return securityGroups.find(ctx, id);
  }

  private async ensure({ ctx, row }: Scope<SecurityGroup>): Promise<void> {
    await this.dataPlane.ensureSecurityGroup(await securityGroupSpecOf(ctx, row));
  }

  private async forget({ ctx, row }: Scope<SecurityGroup>): Promise<void> {
    await securityGroups.deleteAll(ctx, [equals('id', row.id)]);
  }
}
