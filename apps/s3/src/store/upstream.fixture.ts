/** One S3 service on files, and replicas of another that keep their bytes in a bucket of it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { createTestDatabase, type TestDatabase } from '@cumulet/testing/database';
import { freePort } from '@cumulet/testing/free-port';
import { TestTokens } from '@cumulet/testing/test-tokens';
import type { DataSource } from 'typeorm';
import {
  ACCESS,
  clientOf,
  endIdentity,
  playIdentity,
  startS3Process,
  type PlayedIdentity,
  type S3Process,
} from '../s3-process.fixture.js';
import { s3Service } from '../service.js';

/** The bucket of the upstream, and the prefix of its names. */
const KEPT = 'kept-objects';
const PREFIX = 's3/';

/** The only name in the bucket without objects. */
export const MARK = `${PREFIX}database-id`;

export class Upstream {
  #process: S3Process;
  readonly #replicas: S3Process[] = [];

  private constructor(
    private readonly identity: PlayedIdentity,
    private readonly folder: string,
    private readonly port: number,
    private readonly own: TestDatabase,
    private readonly shared: TestDatabase,
    /** The database of the replicas. */
    readonly dataSource: DataSource,
    process: S3Process,
  ) {
    this.#process = process;
  }

  static async start(): Promise<Upstream> {
    const identity = await playIdentity(await TestTokens.create());
    const folder = await mkdtemp(join(tmpdir(), 'cumulet-upstream-'));
    const port = await freePort();
    const own = await createTestDatabase(s3Service);
    const shared = await createTestDatabase(s3Service);
    const dataSource = await s3Service.dataSource(shared.url).initialize();
    const process = await startUpstream(identity, folder, port, own);
    await clientOf(process).send(new CreateBucketCommand({ Bucket: KEPT }));
    return new Upstream(identity, folder, port, own, shared, dataSource, process);
  }

  /** A process of the service that keeps its bytes here; all of them have one database. */
  async startReplica(): Promise<S3Process> {
    const replica = await startS3Process({
      databaseUrl: this.shared.url,
      identityUrl: this.identity.url,
      store: {
        S3_STORE: 's3',
        S3_UPSTREAM_ENDPOINT: this.#process.address,
        S3_UPSTREAM_BUCKET: KEPT,
        S3_UPSTREAM_PREFIX: PREFIX,
        S3_UPSTREAM_ACCESS_KEY: ACCESS.accessKeyId,
        S3_UPSTREAM_SECRET_KEY: ACCESS.secretAccessKey,
      },
    });
    this.#replicas.push(replica);
    return replica;
  }

  /** Ends the upstream as a crash does. */
  async kill(): Promise<void> {
    await this.#process.kill();
  }

  /** Starts the upstream again, at the same address. */
  async startAgain(): Promise<void> {
    this.#process = await startUpstream(this.identity, this.folder, this.port, this.own);
  }

  /** All names in the bucket, in their order; those of unfinished uploads too. */
  async names(): Promise<string[]> {
    const client = clientOf(this.#process);
    const names: string[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: KEPT }))
      names.push(...Contents.map(({ Key = '' }) => Key));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: KEPT }));
    return [...names, ...Uploads.map(({ Key = '' }) => Key)].sort();
  }

  async stop(): Promise<void> {
    for (const one of [...this.#replicas, this.#process]) await one.kill();
    await this.dataSource.destroy();
    await this.shared.drop();
    await this.own.drop();
    await endIdentity(this.identity);
    await rm(this.folder, { recursive: true, force: true });
  }
}

function startUpstream(
  identity: PlayedIdentity,
  folder: string,
  port: number,
  database: TestDatabase,
): Promise<S3Process> {
  const store = { S3_STORE_FOLDER: folder };
  return startS3Process({ databaseUrl: database.url, identityUrl: identity.url, port, store });
}
