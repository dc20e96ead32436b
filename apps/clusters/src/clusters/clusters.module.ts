import { Feature } from '@cumulet/common/service/feature';
import { HealthSweep } from '../health/health.sweep.js';
import { Healing } from '../health/healing.js';
import { Cluster } from './cluster.entity.js';
import { ClusterActionsController } from './cluster-actions.controller.js';
import { ClusterChangesService } from './cluster-changes.service.js';
import { ClusterReconciler } from './cluster.reconciler.js';
import { ClusterReferences } from './cluster-references.js';
import { ClusterTrusts } from './cluster-trusts.js';
import { ClusterUpgradesService } from './cluster-upgrades.service.js';
import { ClustersController } from './clusters.controller.js';
import { ClustersService } from './clusters.service.js';

@Feature({
  controllers: [ClustersController, ClusterActionsController],
  providers: [
    ClusterChangesService,
    ClusterReconciler,
    ClusterReferences,
    ClusterTrusts,
    ClusterUpgradesService,
    ClustersService,
    HealthSweep,
    Healing,
  ],
  entities: [Cluster],
})
export class ClustersModule {}
