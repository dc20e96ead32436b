/**
 * Tells from the fields of a form who sent it, and what for. From then on a form is a request like
 * others, whose body is the file.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import type { S3Config } from '../../config.js';
import { requireKey } from '../../http/s3-address.js';
import { S3Error } from '../../http/s3-error.js';
import { asHeaderValue, headerOf, requireHeader, type S3Request } from '../../http/s3-request.js';
import { readXml } from '../../http/xml.js';
import { MAX_OBJECT_TAGS, xmlTagsOf } from '../../buckets/tags.js';
import { whole } from '../bodies/whole.js';
import type { Caller } from '../caller.js';
import { FormFile, readForm } from './form-reader.js';
import { PostPolicies } from './post-policies.js';
import { checkPolicy, type FormFields, type SizeLimits } from './post-policy.js';

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

/** Headers of the request that are not about the form. */
const KEPT = /^(?:host|origin|referer|user-agent|x-amz-expected-bucket-owner)$/;
/** Fields that are headers under the same name. */
const HEADERS =
  /^(?:cache-control|content-(?:type|disposition|encoding|language|md5)|expires|x-amz-(?!copy-source|tagging$).+)$/s;

/**
 * @param filename stands for `${filename}` in the key
 * @returns the fields as policies are about them: with the key as it is meant, and the bucket
 */
export function meantFields(
  fields: FormFields,
  filename: string,
  { address }: S3Request,
): FormFields {
  const meant = new Map(fields);
  const key = fields.get('key');
  if (key !== undefined)
    meant.set(
      'key',
      key.replaceAll('${filename}', () => filename),
    );
  if (address.bucket) meant.set('bucket', address.bucket.name);
  return meant;
}

/**
 * A form as the request that it stands for: its fields are headers, and one is the key. Public
 * source: Amazon S3 API reference, "POST Object". Pure.
 *
 * @throws S3Error InvalidArgument for a field that cannot be a header, UserKeyMustBeSpecified, KeyTooLongError, MalformedXML, InvalidTag
 */
export function formRequestOf(request: S3Request, fields: FormFields): S3Request {
  const key = fields.get('key') ?? '';
  if (key === '')
    throw new S3Error('UserKeyMustBeSpecified', {
      message:
        "Bucket POST must contain a field named 'key'. If it is specified, please check the order of the fields.",
      details: { ArgumentName: 'key' },
    });
  requireKey(key);
  return {
    ...request,
    headers: headersOf(request.headers, fields),
    address: { ...request.address, key },
  };
}

function headersOf(sent: IncomingHttpHeaders, fields: FormFields): IncomingHttpHeaders {
  const own = Object.entries(sent).filter(([name]) => KEPT.test(name));
  const given = [...fields].flatMap(([name, text]): [string, string][] => {
    if (!HEADERS.test(name)) return [];
    const value = asHeaderValue(text);
    requireHeader(name, value);
    return [[name, value]];
  });
  const headers: IncomingHttpHeaders = Object.fromEntries([...own, ...given]);
  const [acl, tagging] = [fields.get('acl'), fields.get('tagging')];
  if (acl !== undefined) headers['x-amz-acl'] = acl;
  if (tagging !== undefined) headers['x-amz-tagging'] = taggingHeader(tagging);
  return headers;
}

/** @param xml `<Tagging>…`. @returns `a=1&b=2` */
function taggingHeader(xml: string): string {
  const tags = xmlTagsOf(readXml(xml, 'Tagging'), MAX_OBJECT_TAGS);
  const pairs = Object.entries(tags).map((pair) => pair.map(encodeURIComponent).join('='));
  return pairs.join('&');
}
