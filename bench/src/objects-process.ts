/** The cloud for objects of S3: every service in one process. */
import 'reflect-metadata';
import { accessKeyOf } from './access-key.js';
import { watchMemory } from './memory-watch.js';
import { reportOf, type ObjectsFacts } from './protocol.js';
import { startBenchCloud } from './start-cloud.js';

await reportOf(async (): Promise<ObjectsFacts> => {
  const cloud = await startBenchCloud();
  const key = await accessKeyOf(cloud);
  watchMemory();
  return { kind: 'objects', url: cloud.s3Url, ...key, databaseUrl: cloud.databaseUrl('s3') };
});
