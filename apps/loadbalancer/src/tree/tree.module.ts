import { Feature } from '@cumulet/common/service/feature';
import { HealthMonitor } from '../health-monitors/health-monitor.entity.js';
import { L7Policy } from '../l7-policies/l7-policy.entity.js';
import { L7Rule } from '../l7-rules/l7-rule.entity.js';
import { ListenerStatistics } from '../listeners/listener-statistics.entity.js';
import { Listener } from '../listeners/listener.entity.js';
import { Member } from '../members/member.entity.js';
import { Pool } from '../pools/pool.entity.js';

@Feature({
  entities: [HealthMonitor, L7Policy, L7Rule, Listener, ListenerStatistics, Member, Pool],
})
export class TreeModule {}
