/** Retention and legal holds of objects. */
import { Feature } from '@cumulet/common/service/feature';
import { GetObjectLegalHold } from './get-object-legal-hold.operation.js';
import { GetObjectRetention } from './get-object-retention.operation.js';
import { PutObjectLegalHold } from './put-object-legal-hold.operation.js';
import { PutObjectRetention } from './put-object-retention.operation.js';

@Feature({
  providers: [GetObjectLegalHold, GetObjectRetention, PutObjectLegalHold, PutObjectRetention],
})
export class LocksModule {}
