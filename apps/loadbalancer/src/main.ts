import 'reflect-metadata';
import { runService } from '@cumulet/common/app/run-service';
import { loadBalancerService } from './service.js';

await runService(loadBalancerService, process.env);
