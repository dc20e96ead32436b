/** The cloud for uploads and downloads of images: every service in one process. */
import 'reflect-metadata';
import { watchMemory } from './memory-watch.js';
import { reportOf, type ImagesFacts } from './protocol.js';
import { startBenchCloud } from './start-cloud.js';

await reportOf(async (): Promise<ImagesFacts> => {
  const { url, token } = await startBenchCloud();
  watchMemory();
  return { kind: 'images', url: `${url}/image`, token };
});
