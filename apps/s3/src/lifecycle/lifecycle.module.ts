/** Lifecycle rules, and who follows them. */
import { Feature } from '@cumulet/common/service/feature';
import { LifecycleRun } from './lifecycle-run.entity.js';
import { LifecycleRepository } from './lifecycle.repository.js';
import { LifecycleSweep } from './lifecycle.sweep.js';
import { RuleFollower } from './rule-follower.js';

@Feature({
  entities: [LifecycleRun],
  providers: [LifecycleRepository, LifecycleSweep, RuleFollower],
})
export class LifecycleModule {}
