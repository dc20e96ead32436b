/** Logs of who requests what of buckets. */
import { Feature } from '@cumulet/common/service/feature';
import { operationsOf } from '../configurations/configuration.operations.js';
import { AccessLogBatch } from './access-log-batch.entity.js';
import { AccessLogBatchRepository } from './access-log-batch.repository.js';
import { AccessLogRecorder } from './access-log-recorder.js';
import { AccessLogs } from './access-logs.js';
import { AccessLogsSweep, LogDelivery } from './access-logs.sweep.js';
import { LogTargets } from './log-targets.js';
import { LOGGING, PutBucketLogging } from './logging.page.js';

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
