import 'reflect-metadata';
import { runService } from '@cumulet/common/service/run-service';
import { imagesService } from './service.js';

await runService(imagesService, process.env);
