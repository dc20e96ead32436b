import { Feature } from '@cumulet/common/service/feature';
import { BalancerHealthSweep } from './balancer-health.sweep.js';
import { Balancer, BalancerSource } from './balancer.entity.js';
import { BalancerReconciler } from './balancer.reconciler.js';
import { BalancersController } from './balancers.controller.js';
import { BalancersService } from './balancers.service.js';
import { portUsers } from '../ports/port-users.js';
import { isCheckSource } from './balancer-sources.js';

portUsers.push({ owns: isCheckSource });

@Feature({
  controllers: [BalancersController],
  providers: [BalancersService, BalancerReconciler, BalancerHealthSweep],
  entities: [Balancer, BalancerSource],
})
export class BalancersModule {}
