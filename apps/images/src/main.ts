import 'reflect-metadata';
import { runService } from '@cumulet/common/app/run-service';
import { imagesService } from './service.js';

await runService(imagesService, process.env);
