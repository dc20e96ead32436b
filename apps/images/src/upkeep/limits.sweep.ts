import { Injectable } from '@nestjs/common';
import { LimitsOfService, unifiedLimits } from '@cumulet/clients/identity/limits.sweep';
import { Feature } from '@cumulet/common/service/feature';
import { ImageQuotas, UNITS, type ImageQuota } from '../images/image-quotas.js';

@Injectable()
export class LimitsSweep extends LimitsOfService<ImageQuota> {
  constructor(quotas: ImageQuotas) {
    super('image', quotas, UNITS);
  }
}

@Feature({ providers: [LimitsSweep, unifiedLimits] })
export class LimitsModule {}
