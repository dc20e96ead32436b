import 'reflect-metadata';
import { runService } from '@cumulet/common/app/run-service';
import { s3Service } from './service.js';

await runService(s3Service, process.env);
