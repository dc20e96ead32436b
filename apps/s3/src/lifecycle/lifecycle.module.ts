/** Lifecycle rules, and who follows them. */
import { Feature } from '@cumulet/common/service/feature';
import { LifecycleRun } from './lifecycle-run.entity.js';

@Feature({ entities: [LifecycleRun] })
export class LifecycleModule {}
