import 'reflect-metadata';
import { runService } from '@cumulet/common/http/run-service';
import { createIdentityApp } from './app.js';
import { loadIdentityConfig } from './config.js';

await runService({ load: () => loadIdentityConfig(process.env), create: createIdentityApp });
