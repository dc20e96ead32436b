/** Tells who sent a request: by its signature, or for a form by the fields in it. */
import { Injectable } from '@nestjs/common';
import { Authenticator, type Authenticated } from '../auth/authenticator.js';
import type { S3Request } from '../http/s3-request.js';
import { FormSenders } from '../auth/post/form-senders.js';
import type { OperationDeclaration } from './operation-row.js';

export interface SentRequest extends Authenticated {
  /** What a form stands for; any other request as it came. */
  readonly request: S3Request;
}

@Injectable()
export class Senders {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly forms: FormSenders,
  ) {}

  /** @throws S3Error as the authenticator and the senders of forms do */
  async identify({ name }: OperationDeclaration, request: S3Request): Promise<SentRequest> {
    if (name === 'PostObject') return this.forms.receive(request);
    return { request, ...(await this.authenticator.authenticate(request)) };
  }
}
