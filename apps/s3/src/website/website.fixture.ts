/** A bucket that is a website, as tests set it up and visit it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  DeletePublicAccessBlockCommand,
  PutBucketPolicyCommand,
  PutBucketWebsiteCommand,
  type WebsiteConfiguration,
} from '@aws-sdk/client-s3';
import { openRequest } from '../auth/signing.fixture.js';
import { TestBucket } from '../objects/objects.fixture.js';
import type { TestS3 } from '../s3.fixture.js';

export const DOMAIN = 'site.example';

export interface Visited {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Visit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class TestWebsite {
  private constructor(
    private readonly s3: TestS3,
    readonly bucket: TestBucket,
  ) {}

  /** @param readable keys, with wildcards, that anybody may do the actions on */
  static async create(
    s3: TestS3,
    site: WebsiteConfiguration | undefined,
    readable = '*',
    actions = ['s3:GetObject'],
  ): Promise<TestWebsite> {
    const bucket = await TestBucket.create(s3);
    const Bucket = bucket.name;
    if (site)
      await bucket.client.send(new PutBucketWebsiteCommand({ Bucket, WebsiteConfiguration: site }));
    await bucket.client.send(new DeletePublicAccessBlockCommand({ Bucket }));
    const Statement = {
      Effect: 'Allow',
      Principal: '*',
      Action: actions,
      Resource: [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/${readable}`],
    };
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
    await bucket.client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
    return new TestWebsite(s3, bucket);
  }

  get host(): string {
    return `${this.bucket.name}.${this.s3.projectId}.${DOMAIN}`;
  }

  /** @param path as it is sent, with its query */
  visit(path: string, { method = 'GET', headers = {} }: Visit = {}): Promise<Visited> {
    return visit(this.s3, path, method, { host: this.host, ...headers });
  }
}

export async function visit(
  s3: TestS3,
  path: string,
  method: string,
  headers: Record<string, string>,
): Promise<Visited> {
  const request = openRequest(s3, { method, path }, headers);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject).end();
  });
  const text = Buffer.concat((await response.toArray()) as Buffer[]).toString();
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}
