import { Feature } from '@cumulet/common/service/feature';
import { networksProvider, ownProjectProvider } from '../network/networks.port.js';
import { VIPS } from './vips.port.js';
import { VipsService } from './vips.service.js';

@Feature({
  providers: [networksProvider, ownProjectProvider, { provide: VIPS, useClass: VipsService }],
})
export class VipModule {}
