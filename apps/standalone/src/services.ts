import type { Service } from '@cumulet/common/app/define-service';
import { clustersService } from '@cumulet/clusters/service';
import { computeService } from '@cumulet/compute/service';
import { identityService } from '@cumulet/identity/service';
import { imagesService } from '@cumulet/images/service';
import { loadBalancerService } from '@cumulet/loadbalancer/service';
import { networkService } from '@cumulet/network/service';
import { orchestrationService } from '@cumulet/orchestration/service';
import { s3Service } from '@cumulet/s3/service';
import { secretsService } from '@cumulet/secrets/service';

/**
 * Every service. The standalone cloud, the generated documents, the bench and the checks of deploy/
 * read this list. The first starts first: it issues the tokens that the others check.
 */
export const SERVICES: readonly Service[] = [
  identityService,
  imagesService,
  networkService,
  computeService,
  secretsService,
  loadBalancerService,
  orchestrationService,
  clustersService,
  s3Service,
];
