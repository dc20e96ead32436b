import 'reflect-metadata';
import { runService } from '@cumulet/common/app/run-service';
import { computeService } from './service.js';

await runService(computeService, process.env);
