import 'reflect-metadata';
import { runService } from '@cumulet/common/http/run-service';
import { createImagesApp } from './app.js';
import { loadImagesConfig } from './config.js';

await runService({ load: () => loadImagesConfig(process.env), create: createImagesApp });
