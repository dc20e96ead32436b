/** Buckets as websites. */
import { Feature } from '@cumulet/common/service/feature';
import { Websites } from './websites.js';

@Feature({ providers: [Websites] })
export class WebsiteModule {}
