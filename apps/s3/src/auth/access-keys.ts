/** The access keys that signatures are made with. */
import type { AccessKey } from '@cumulet/clients/identity/access-key';
import { AccessKeySource } from '@cumulet/clients/identity/access-key-source';
import { asId, type RequestId } from '@cumulet/common/context/ids';
import { Injectable } from '@nestjs/common';
import { S3Error } from '../http/s3-error.js';

@Injectable()
export class AccessKeys {
  constructor(private readonly source: AccessKeySource) {}

  /**
   * @param requestId on whose behalf
   * @throws S3Error InvalidAccessKeyId; UnavailableError where identity is out of reach
   */
  async get(requestId: string, access: string): Promise<AccessKey> {
    const origin = { requestId: asId<RequestId>(requestId), globalRequestId: undefined };
    const found = await this.source.find(origin, access);
    if (found) return found;
    throw new S3Error('InvalidAccessKeyId', { details: { AWSAccessKeyId: access } });
  }
}
