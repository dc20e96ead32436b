import { Feature } from '../service/feature.js';
import { QuotaLimit } from './quota-limit.entity.js';

/** The table of limits: a feature of every service with quotas, beside its migration. */
@Feature({ entities: [QuotaLimit] })
export class QuotaLimitsModule {}
