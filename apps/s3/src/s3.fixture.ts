/** The S3 service as tests start it, with projects that have access keys. */
import 'reflect-metadata';
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { AccessKey } from '@cumulet/clients/identity/access-key';
import { AccessKeySource } from '@cumulet/clients/identity/access-key-source';
import {
  startService,
  type StartedService,
  type StartOptions,
} from '@cumulet/testing/start-service';
import { MemoryStore } from '@cumulet/storage/stores/memory-store';
import { newId } from '@cumulet/testing/test-tokens';
import { PROJECTS, type Projects } from './access/grantees.js';
import { HELD, type S3Config } from './config.js';
import { s3Service } from './service.js';
import { STORE } from './store/store.js';

/** Stands in for identity. */
class TestAccessKeys implements Projects {
  readonly #keys = new Map<string, AccessKey>();
  readonly #projects = new Set<string>();

  issue(
    projectId: string,
    roles: readonly string[],
    delegation?: AccessKey['delegation'],
  ): AccessKey {
    const key: AccessKey = {
      access: newId(),
      secret: newId(),
      credentialId: newId(),
      userId: newId(),
      userDomainId: 'default',
      projectId,
      projectDomainId: 'default',
      roles,
      delegation,
      issuedAt: Date.now(),
    };
    this.#keys.set(key.access, key);
    this.#projects.add(projectId);
    return key;
  }

  revoke({ access }: AccessKey): void {
    this.#keys.delete(access);
  }

  find(_origin: unknown, access: string): Promise<AccessKey | undefined> {
    return Promise.resolve(this.#keys.get(access));
  }

  /** Projects exist that have had a key. */
  exists(_actor: unknown, id: string): Promise<boolean> {
    return Promise.resolve(this.#projects.has(id));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const ENVIRONMENT = { S3_STORE: 'memory', S3_SCRUB_BYTES_PER_SECOND: '0' };

export class TestS3 {
  /** A member of the project `projectId`. */
  readonly member: AccessKey;
  /** A member of another project. */
  readonly stranger: AccessKey;

  private constructor(
    readonly started: StartedService<S3Config>,
    readonly keys: TestAccessKeys,
    readonly store: MemoryStore,
    readonly projectId: string,
  ) {
    this.member = keys.issue(projectId, ['member', 'reader']);
    this.stranger = keys.issue(newId(), ['member', 'reader']);
  }

  static async start(
    config: Partial<S3Config> = {},
    options: StartOptions<S3Config> = {},
  ): Promise<TestS3> {
    const keys = new TestAccessKeys();
    const store = new MemoryStore(HELD);
    const overrides = [
      { provide: STORE, useValue: store },
      { provide: AccessKeySource, useValue: keys },
      { provide: PROJECTS, useValue: keys },
      ...(options.overrides ?? []),
    ];
    const started = await startService(s3Service, ENVIRONMENT, { ...options, config, overrides });
    return new TestS3(started, keys, store, newId());
  }

  /** `http://127.0.0.1:1234` */
  get url(): string {
    return this.started.client.baseUrl;
  }

  /** Amazon's own client, with its defaults. */
  client(key: AccessKey = this.member, more: S3ClientConfig = {}): S3Client {
    return new S3Client({
      endpoint: this.url,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: key.access, secretAccessKey: key.secret },
      maxAttempts: 1,
      ...more,
    });
  }

  async stop(): Promise<void> {
    await this.started.stop();
  }
}
