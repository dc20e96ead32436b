import { Feature } from '@cumulet/common/service/feature';
import { AskedVips } from './asked-vip.js';
import { LoadBalancer } from './load-balancer.entity.js';
import { LoadBalancerReconciler } from './load-balancer.reconciler.js';
import { LoadBalancersController } from './load-balancers.controller.js';
import { LoadBalancersService } from './load-balancers.service.js';

@Feature({
  controllers: [LoadBalancersController],
  entities: [LoadBalancer],
  providers: [AskedVips, LoadBalancerReconciler, LoadBalancersService],
})
export class LoadBalancersModule {}
