import { Feature } from '@cumulet/common/service/feature';
import { HealthSweep } from '../health/health.sweep.js';
import { Healing } from '../health/healing.js';
import { Cluster } from '../clusters/cluster.entity.js';
import { ClusterActionsController } from './cluster-actions.controller.js';
import { ClusterChangesService } from './cluster-changes.service.js';
import { ClusterReconciler } from '../work/cluster.reconciler.js';
import { ClusterReferences } from './cluster-references.js';
import { ClusterTrusts } from '../clusters/cluster-trusts.js';
import { ClusterUpgradesService } from './cluster-upgrades.service.js';
import { ClustersController } from './clusters.controller.js';
import { ClustersService } from './clusters.service.js';
import { AwaitNodes } from '../work/await-nodes.js';
import { EndWork } from '../work/end-work.js';
import { FollowStack } from '../work/follow-stack.js';
import { MakeNodes } from '../work/make-nodes.js';
import { RemoveCluster } from '../work/remove-cluster.js';

@Feature({
  controllers: [ClustersController, ClusterActionsController],
  providers: [
    ClusterChangesService,
    ClusterReconciler,
    ClusterReferences,
    ClusterTrusts,
    ClusterUpgradesService,
    ClustersService,
    AwaitNodes,
    EndWork,
    FollowStack,
    HealthSweep,
    Healing,
    MakeNodes,
    RemoveCluster,
  ],
  entities: [Cluster],
})
export class ClustersModule {}
