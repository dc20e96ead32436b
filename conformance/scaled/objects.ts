/** Objects that come and go in S3, by a stock client with its own retries. */
import { DeleteObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { CloudClient } from '../chaos/cloud-client.js';

const Bucket = 'scaled';

export class Objects {
  /** What its retries did not cover, since the last look. */
  #failed: string[] = [];
  #names = 0;

  private constructor(private readonly s3: S3Client) {}

  /** @param project of the user demo */
  static async make(client: CloudClient, endpoint: string, project: string): Promise<Objects> {
    const { body } = await client.send('GET', '/identity/v3/users?name=demo', { as: 'admin' });
    const [user] = (body as { users: { id: string }[] }).users;
    const made = await client.send('POST', `/identity/v3/users/${user?.id}/credentials/OS-EC2`, {
      json: { tenant_id: project },
    });
    const { access, secret } = (made.body as { credential: Record<string, string> }).credential;
    const s3 = new S3Client({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: access ?? '', secretAccessKey: secret ?? '' },
    });
    await s3.send(new CreateBucketCommand({ Bucket }));
    return new Objects(s3);
  }

  /** Writes one, reads it and deletes it. */
  async work(): Promise<void> {
    const Key = `object-${(this.#names += 1)}`;
    try {
      await this.s3.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
      const { Body } = await this.s3.send(new GetObjectCommand({ Bucket, Key }));
      if ((await Body?.transformToString()) !== Key) throw new Error('other bytes');
      await this.s3.send(new DeleteObjectCommand({ Bucket, Key }));
    } catch (error) {
      this.#failed.push(`${Key}: ${String(error)}`);
    }
  }

  takeFailed(): string[] {
    const failed = this.#failed;
    this.#failed = [];
    return failed;
  }

  end(): void {
    this.s3.destroy();
  }
}
