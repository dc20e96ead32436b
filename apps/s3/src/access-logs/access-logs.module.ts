/** Logs of who requests what of buckets. */
import { Feature } from '@cumulet/common/service/feature';
import { operationsOf } from '../configurations/configuration.operations.js';
import { AccessLogBatch } from './access-log-batch.entity.js';
import { AccessLogBatchRepository } from './access-log-batch.repository.js';
import { AccessLogRecorder } from './access-log-recorder.js';
import { AccessLogs } from './access-logs.js';
import { AccessLogsSweep } from './access-logs.sweep.js';
import { LogDelivery } from './log-delivery.js';
import { LogTargets } from './log-targets.js';
import { LOGGING } from './logging.page.js';
import { PutBucketLogging } from './put-bucket-logging.operation.js';

@Feature({
  entities: [AccessLogBatch],
  providers: [
    AccessLogBatchRepository,
    AccessLogRecorder,
    AccessLogs,
    AccessLogsSweep,
    LogDelivery,
    LogTargets,
    ...operationsOf(LOGGING),
    PutBucketLogging,
  ],
})
export class AccessLogsModule {}
