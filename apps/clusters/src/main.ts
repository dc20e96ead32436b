import 'reflect-metadata';
import { runService } from '@cumulet/common/app/run-service';
import { clustersService } from './service.js';

await runService(clustersService, process.env);
