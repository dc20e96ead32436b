/** What can be configured for a bucket: each page declares one kind. */
import { Feature } from '@cumulet/common/service/feature';
import { LIFECYCLE } from './lifecycle.page.js';
import { NOTIFICATION } from './notification.page.js';
import { WEBSITE } from './website.page.js';
import { operationsOf } from './configuration.operations.js';
import { CORS } from './cors.page.js';
import { ENCRYPTION } from './encryption.page.js';
import {
  GetObjectLockConfiguration,
  PutObjectLockConfiguration,
} from './object-lock.operations.js';
import { OWNERSHIP, PUBLIC_ACCESS_BLOCK, REQUEST_PAYMENT, TAGGING } from './short.pages.js';
import { UNCONFIGURED } from './unconfigured.operations.js';

@Feature({
  providers: [
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
