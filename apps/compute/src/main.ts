import 'reflect-metadata';
import { runService } from '@cumulet/common/http/run-service';
import { createComputeApp } from './app.js';
import { loadComputeConfig } from './config.js';

await runService({
  load: () => loadComputeConfig(process.env),
  create: async (config) => (await createComputeApp(config)).app,
});
