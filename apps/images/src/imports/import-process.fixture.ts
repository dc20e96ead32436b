/**
 * A process of its own that imports images, for a test to kill. Its argument is JSON of
 * `ImportProcessOptions`.
 */
import 'reflect-metadata';
import { TestTokens } from '@cumulet/testing/test-tokens';
import { ServiceApp } from '@cumulet/common/service/service-app';
import { TOKEN_AUTHORITY } from '@cumulet/common/service/tokens';
import { testConfig } from '../images.fixture.js';
import { imagesService } from '../service.js';
import { FileStore } from '../store/file-store.js';
import { IMAGE_STORE } from '../store/image-store.js';

export interface ImportProcessOptions {
  readonly databaseUrl: string;
  readonly storeFolder: string;
  readonly ports: readonly number[];
}

const options = JSON.parse(process.argv[2] ?? '') as ImportProcessOptions;
const app = new ServiceApp(
  imagesService,
  {
    ...testConfig(options.databaseUrl),
    role: 'worker',
    webDownloadPorts: options.ports,
    webDownloadAllowPrivate: true,
  },
  {
    overrides: [
      { provide: TOKEN_AUTHORITY, useValue: await TestTokens.create() },
      { provide: IMAGE_STORE, useValue: new FileStore(options.storeFolder) },
    ],
    listen: false,
  },
);
await app.start();
process.stdout.write('ready\n');
