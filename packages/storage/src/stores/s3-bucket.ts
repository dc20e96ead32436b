/** The requests that the S3 store makes. Public source: Amazon S3 API Reference. */
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  type CompletedPart,
  type ListMultipartUploadsCommandInput,
  type ListMultipartUploadsCommandOutput,
} from '@aws-sdk/client-s3';
import { trusted } from '@cumulet/common/tls/tls';
import type { ByteRange } from './byte-store.js';
import type { S3Location } from './store-settings.js';

/** Timeouts for connecting, and for the answer once the request is sent. */
const CONNECT_MS = 5_000;
const ANSWER_MS = 120_000;

/** Downloads hold a connection for as long as their clients take. */
const CONNECTIONS = 1_000;

/** As requests name it. */
export interface MultipartUpload {
  readonly Bucket: string;
  readonly Key: string;
  readonly UploadId: string;
}

export class S3Bucket {
  readonly #client: S3Client;
  readonly #bucket: string;

  constructor({ endpoint, region, bucket, accessKey, secretKey }: S3Location) {
    this.#bucket = bucket;
    const agent = { keepAlive: true, maxSockets: CONNECTIONS };
    this.#client = new S3Client({
      endpoint,
      region,
      credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
      forcePathStyle: true,
      // Each request is signed with its body's hash; not every service supports other checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: ANSWER_MS,
        throwOnRequestTimeout: true,
        httpAgent: agent,
        httpsAgent: { ...agent, ...trusted() },
      },
    });
  }

  /** @param options `ifAbsent` fails with PreconditionFailed if the object exists */
  async put(key: string, body: Buffer, { ifAbsent = false } = {}): Promise<void> {
    await this.#client.send(
      new PutObjectCommand({
        ...this.#at(key),
        Body: body,
        IfNoneMatch: ifAbsent ? '*' : undefined,
      }),
    );
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    const { Body } = await this.#client.send(
      new GetObjectCommand({
        ...this.#at(key),
        Range: range && `bytes=${range.first}-${range.last}`,
      }),
    );
    return Body as Readable;
  }

  /** Succeeds if it does not exist. */
  async delete(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#at(key)));
  }

  async *keys(prefix: string): AsyncIterable<string> {
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#bucket, Prefix: prefix },
    );
    for await (const { Contents = [] } of pages) {
      for (const { Key } of Contents) if (Key !== undefined) yield Key;
    }
  }

  async createUpload(key: string): Promise<MultipartUpload> {
    const at = this.#at(key);
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(at));
    if (UploadId === undefined) throw new Error('the S3 service returned no upload ID');
    return { ...at, UploadId };
  }

  async uploadPart(upload: MultipartUpload, number: number, body: Buffer): Promise<CompletedPart> {
    const { ETag } = await this.#client.send(
      new UploadPartCommand({ ...upload, PartNumber: number, Body: body }),
    );
    return { PartNumber: number, ETag };
  }

  async complete(upload: MultipartUpload, parts: CompletedPart[]): Promise<void> {
    await this.#client.send(
      new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }),
    );
  }

  /** Succeeds if it has already ended. */
  async abort(upload: MultipartUpload): Promise<void> {
    try {
      await this.#client.send(new AbortMultipartUploadCommand(upload));
    } catch (error) {
      if ((error as Error).name !== 'NoSuchUpload') throw error;
    }
  }

  /** Unfinished ones. */
  async *uploads(prefix: string): AsyncIterable<MultipartUpload> {
    let marker: Pick<ListMultipartUploadsCommandInput, 'KeyMarker' | 'UploadIdMarker'> = {};
    for (;;) {
      const page: ListMultipartUploadsCommandOutput = await this.#client.send(
        new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: prefix, ...marker }),
      );
      for (const { Key, UploadId } of page.Uploads ?? []) {
        if (Key !== undefined && UploadId !== undefined) yield { ...this.#at(Key), UploadId };
      }
      if (page.IsTruncated !== true || !page.NextKeyMarker) return;
      marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: key };
  }
}
