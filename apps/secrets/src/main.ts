import 'reflect-metadata';
import { runService } from '@cumulet/common/app/run-service';
import { secretsService } from './service.js';

await runService(secretsService, process.env);
