import 'reflect-metadata';
import { runService } from '@cumulet/common/app/run-service';
import { orchestrationService } from './service.js';

await runService(orchestrationService, process.env);
