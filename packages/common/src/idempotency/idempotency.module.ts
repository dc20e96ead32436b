import { Feature } from '../service/feature.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { KeptAnswers } from './kept-answers.js';

/** A feature of every service. */
@Feature({ providers: [KeptAnswers], entities: [IdempotencyKey] })
export class IdempotencyModule {}
