/** A bucket with objects, as tests use it through Amazon's client. */
import { randomUUID } from 'node:crypto';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type CreateBucketCommandInput,
  type DeleteObjectCommandInput,
  type DeleteObjectCommandOutput,
  type GetObjectCommandInput,
  type GetObjectCommandOutput,
  type HeadObjectCommandInput,
  type HeadObjectCommandOutput,
  type PutObjectCommandInput,
  type PutObjectCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { Versioning } from '../buckets/bucket.entity.js';
import type { TestS3 } from '../s3.fixture.js';

type More<Input> = Partial<Omit<Input, 'Bucket' | 'Key'>>;

export class TestBucket {
  private constructor(
    readonly s3: TestS3,
    readonly client: S3Client,
    readonly name: string,
  ) {}

  static async create(
    s3: TestS3,
    {
      client = s3.client(),
      ...more
    }: Partial<CreateBucketCommandInput> & { client?: S3Client } = {},
  ): Promise<TestBucket> {
    const name = `b-${randomUUID()}`;
    await client.send(new CreateBucketCommand({ ...more, Bucket: name }));
    return new TestBucket(s3, client, name);
  }

  static async versioned(s3: TestS3): Promise<TestBucket> {
    const bucket = await TestBucket.create(s3);
    await bucket.setVersioning('enabled');
    return bucket;
  }

  /** The same bucket, for another client. */
  by(client: S3Client): TestBucket {
    return new TestBucket(this.s3, client, this.name);
  }

  async setVersioning(versioning: Versioning): Promise<void> {
    const { manager } = this.s3.started.ctx;
    await manager.query('UPDATE buckets SET versioning = $2 WHERE name = $1', [
      this.name,
      versioning,
    ]);
  }

  put(
    Key: string,
    Body: string | Buffer,
    more: More<PutObjectCommandInput> = {},
  ): Promise<PutObjectCommandOutput> {
    const object = { ...more, Bucket: this.name, Key, Body: Buffer.from(Body as string) };
    return this.client.send(new PutObjectCommand(object));
  }

  get(Key: string, more: More<GetObjectCommandInput> = {}): Promise<GetObjectCommandOutput> {
    return this.client.send(new GetObjectCommand({ ...more, Bucket: this.name, Key }));
  }

  async text(key: string, more: More<GetObjectCommandInput> = {}): Promise<string | undefined> {
    return (await this.get(key, more)).Body?.transformToString();
  }

  async bytes(key: string, more: More<GetObjectCommandInput> = {}): Promise<Buffer> {
    return Buffer.from((await (await this.get(key, more)).Body?.transformToByteArray()) ?? []);
  }

  head(Key: string, more: More<HeadObjectCommandInput> = {}): Promise<HeadObjectCommandOutput> {
    return this.client.send(new HeadObjectCommand({ ...more, Bucket: this.name, Key }));
  }

  delete(
    Key: string,
    more: More<DeleteObjectCommandInput> = {},
  ): Promise<DeleteObjectCommandOutput> {
    return this.client.send(new DeleteObjectCommand({ ...more, Bucket: this.name, Key }));
  }

  /** How many versions its objects have, and how much is in the store that no object has. */
  async left(): Promise<{ versions: number; kept: number }> {
    const { manager } = this.s3.started.ctx;
    const rows: { versions: number; kept: number }[] = await manager.query(
      `SELECT count(*)::int AS versions, count(objects.data_id)::int AS kept
         FROM objects JOIN buckets ON buckets.id = bucket_id WHERE name = $1`,
      [this.name],
    );
    return rows[0] ?? { versions: 0, kept: 0 };
  }
}

/** The status and code of a refusal: `412 PreconditionFailed`. */
export async function refusalOf(sent: Promise<unknown>): Promise<string> {
  try {
    await sent;
    return 'accepted';
  } catch (error) {
    const { name, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
    return `${$metadata?.httpStatusCode ?? ''} ${name}`;
  }
}
