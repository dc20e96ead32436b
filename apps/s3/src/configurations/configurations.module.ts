/** What can be configured for a bucket: each page declares one kind. */
import { Feature } from '@cumulet/common/service/feature';
import { LIFECYCLE } from '../lifecycle/lifecycle.page.js';
import { NOTIFICATION } from '../notifications/notification.page.js';
import { WEBSITE } from '../website/website.page.js';
import { operationsOf } from './configuration.operations.js';
import { CORS } from './cors/cors.page.js';
import { Preflights } from './cors/preflights.js';
import { ENCRYPTION } from './encryption/encryption.page.js';
import { GetObjectLockConfiguration } from './object-lock/get-object-lock.operation.js';
import { PutObjectLockConfiguration } from './object-lock/put-object-lock.operation.js';
import { OWNERSHIP } from './ownership/ownership.page.js';
import { PUBLIC_ACCESS_BLOCK } from './public-access-block/public-access-block.page.js';
import { REQUEST_PAYMENT } from './request-payment/request-payment.page.js';
import { TAGGING } from './tagging/tagging.page.js';
import { UNCONFIGURED } from './unconfigured.operations.js';

@Feature({
  providers: [
    Preflights,
    ...operationsOf(CORS),
    ...operationsOf(ENCRYPTION),
    ...operationsOf(LIFECYCLE),
    ...operationsOf(NOTIFICATION),
    ...operationsOf(OWNERSHIP),
    ...operationsOf(PUBLIC_ACCESS_BLOCK),
    ...operationsOf(REQUEST_PAYMENT),
    ...operationsOf(TAGGING),
    ...operationsOf(WEBSITE),
    GetObjectLockConfiguration,
    PutObjectLockConfiguration,
    ...UNCONFIGURED,
  ],
})
export class ConfigurationsModule {}
