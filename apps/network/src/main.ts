import 'reflect-metadata';
import { runService } from '@cumulet/common/app/run-service';
import { networkService } from './service.js';

await runService(networkService, process.env);
