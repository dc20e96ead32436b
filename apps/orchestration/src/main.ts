import 'reflect-metadata';
import { runService } from '@cumulet/common/service/run-service';
import { orchestrationService } from './service.js';

await runService(orchestrationService, process.env);
