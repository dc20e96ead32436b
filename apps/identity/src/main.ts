import 'reflect-metadata';
import { runService } from '@cumulet/common/app/run-service';
import { identityService } from './service.js';

await runService(identityService, process.env);
