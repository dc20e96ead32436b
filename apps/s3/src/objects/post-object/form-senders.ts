/**
 * Tells from the fields of a form who sent it, and what for. From then on a form is a request like
 * others, whose body is the file.
 */
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { S3Config } from '../../config.js';
import { checkPolicy, type FormFields, type SizeLimits } from '../../auth/post/post-policy.js';
import { PostPolicies } from '../../auth/post/post-policies.js';
import { whole } from '../../auth/bodies/whole.js';
import type { Caller } from '../../auth/caller.js';
import { headerOf, type S3Request } from '../../http/s3-request.js';
import { FormFile } from './form-file.js';
import { readForm } from './form-reader.js';
import { formRequestOf, meantFields } from './form-request.js';

export interface SentForm {
  readonly request: S3Request;
  readonly caller: Caller;
  readonly body: FormFile;
}

/** Of a form without a policy. */
const ANY_SIZE: SizeLimits = { min: 0, max: Number.MAX_SAFE_INTEGER };

@Injectable()
export class FormSenders {
  readonly #stallMs: number;

  constructor(
    private readonly policies: PostPolicies,
    @Inject(CONFIG) { stallSeconds }: S3Config,
  ) {
    this.#stallMs = stallSeconds * 1_000;
  }

  /**
   * Reads up to the file.
   * @throws S3Error for what is no form, has no key, or is not signed as its policy wants it
   */
  async receive(request: S3Request): Promise<SentForm> {
    const sent = whole(request.raw, this.#stallMs);
    const form = await readForm(headerOf(request, 'content-type'), sent);
    try {
      const fields = meantFields(form.fields, form.filename, request);
      const caller = await this.policies.authenticate(request.id, fields);
      const limits = limitsOf(fields);
      const meant = formRequestOf(request, fields);
      return { request: meant, caller, body: new FormFile(fields, form.file, limits) };
    } catch (error) {
      form.file.destroy();
      throw error;
    }
  }
}

function limitsOf(fields: FormFields): SizeLimits {
  const policy = fields.get('policy');
  return policy === undefined ? ANY_SIZE : checkPolicy(policy, fields);
}
