/**
 * A process of its own that imports images, for a test to kill. Its argument is JSON of
 * `ImportProcessOptions`.
 */
import 'reflect-metadata';
import { TestTokens } from '@cumulet/testing/test-tokens';
import { createImagesApp } from '../app.js';
import { testConfig } from '../images.fixture.js';
import { FileStore } from '../store/file-store.js';

export interface ImportProcessOptions {
  readonly databaseUrl: string;
  readonly storeFolder: string;
  readonly ports: readonly number[];
}

const options = JSON.parse(process.argv[2] ?? '') as ImportProcessOptions;
const app = createImagesApp(
  {
    ...testConfig(options.databaseUrl),
    role: 'worker',
    webDownloadPorts: options.ports,
    webDownloadAllowPrivate: true,
  },
  {
    store: new FileStore(options.storeFolder),
    authority: await TestTokens.create(),
    listen: false,
  },
);
await app.start();
process.stdout.write('ready\n');
