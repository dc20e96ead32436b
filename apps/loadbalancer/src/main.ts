import 'reflect-metadata';
import { runService } from '@cumulet/common/service/run-service';
import { loadBalancerService } from './service.js';

await runService(loadBalancerService, process.env);
