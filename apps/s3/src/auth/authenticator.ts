/** Tells who sent a request: by its signature, or for a form by the fields in it. */
import { CONFIG } from '@cumulet/common/service/tokens';
import { Inject, Injectable } from '@nestjs/common';
import { AccessKeySource } from '@cumulet/clients/identity/access-key-source';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import { Feature } from '@cumulet/common/service/feature';
import type { S3Config } from '../config.js';
import { S3Error } from '../http/s3-error.js';
import { headerOf, type S3Request } from '../http/s3-request.js';
import { bodyOf, type RequestBody } from './bodies/request-body.js';
import {
  AccessKeys,
  ANONYMOUS,
  callerOf,
  type Caller,
  type SignedCaller,
  readable,
  requireRecent,
  requireSame,
} from './caller.js';
import { FormSenders, PostPolicies } from './post/form-senders.js';
import { signedV2, signV2, stringToSignV2 } from './signatures/v2.js';
import {
  isVersion4,
  type SignedByHeader,
  signedByHeader,
  signedByQuery,
  canonicalRequest,
  hmac,
  signingKey,
  stringToSign,
} from './signatures/v4.js';
import { ChunkSignatures } from './bodies/chunk-decoder.js';

interface Authenticated {
  readonly caller: Caller;
  readonly body: RequestBody;
}

export interface SentRequest extends Authenticated {
  /** For a form, the PUT that it stands for. */
  readonly request: S3Request;
}

@Injectable()
export class Authenticator {
  readonly #stallMs: number;

  constructor(
    private readonly keys: AccessKeys,
    private readonly forms: FormSenders,
    @Inject(CONFIG) { stallSeconds }: S3Config,
  ) {
    this.#stallMs = stallSeconds * 1_000;
  }

  /**
   * @param operation that the request asks for
   * @throws S3Error InvalidAccessKeyId, SignatureDoesNotMatch, RequestTimeTooSkewed, AccessDenied,
   * AuthorizationHeaderMalformed, AuthorizationQueryParametersError, UnsupportedSignature, and as the
   * senders of forms do
   */
  async identify(operation: { readonly name: string }, request: S3Request): Promise<SentRequest> {
    if (operation.name === 'PostObject') return this.forms.receive(request);
    return { request, ...(await this.#authenticate(request)) };
  }

  async #authenticate(request: S3Request): Promise<Authenticated> {
    const { query } = request;
    const authorization = headerOf(request, 'authorization');
    if (authorization !== undefined) {
      if (query.has('X-Amz-Signature') || query.has('Signature')) throw onlyOnce();
      if (!isVersion4(authorization)) return this.#version2(request, authorization);
      const signed = signedByHeader(request, authorization);
      requireRecent(signed.signedAt);
      return this.#version4(request, signed, 'REST-HEADER');
    }
    if (query.has('X-Amz-Signature') || query.has('X-Amz-Algorithm'))
      return this.#version4(request, signedByQuery(request), 'REST-QUERY-STRING');
    if (query.has('Signature')) return this.#version2(request, undefined);
    return { caller: ANONYMOUS, body: this.#unsignedBody(request) };
  }

  async #version4(
    request: S3Request,
    signed: SignedByHeader,
    authType: SignedCaller['authType'],
  ): Promise<Authenticated> {
    const { scope, time, signature, signedAt } = signed;
    const key = await this.keys.get(request.id, scope.access);
    const signing = signingKey(key.secret, scope);
    const canonical = canonicalRequest(request, signed);
    const text = stringToSign(canonical, signed);
    requireSame(signature, hmac(signing, text).toString('hex'), {
      AWSAccessKeyId: scope.access,
      StringToSign: text,
      SignatureProvided: signature,
      CanonicalRequest: readable(canonical),
    });
    const signatures = (): ChunkSignatures => new ChunkSignatures(signing, scope, time, signature);
    const { payload } = signed;
    return {
      caller: callerOf(key, 'AWS4-HMAC-SHA256', authType, signedAt),
      body: bodyOf(request, { payload, signatures, stallMs: this.#stallMs }),
    };
  }

  async #version2(request: S3Request, authorization: string | undefined): Promise<Authenticated> {
    const { access, signature, date, signedAt } = signedV2(request, authorization);
    const key = await this.keys.get(request.id, access);
    const text = stringToSignV2(request, date);
    requireSame(signature, signV2(key.secret, text), {
      AWSAccessKeyId: access,
      StringToSign: readable(text),
      SignatureProvided: signature,
    });
    const authType = authorization === undefined ? 'REST-QUERY-STRING' : 'REST-HEADER';
    return {
      caller: callerOf(key, 'AWS', authType, signedAt),
      body: this.#unsignedBody(request),
    };
  }

  /** A body that no signature covers. */
  #unsignedBody(request: S3Request): RequestBody {
    const payload = headerOf(request, 'x-amz-content-sha256');
    return bodyOf(request, { payload, stallMs: this.#stallMs });
  }
}

function onlyOnce(): S3Error {
  return new S3Error('InvalidArgument', {
    message:
      'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
  });
}

@Feature({
  providers: [
    AccessKeys,
    Authenticator,
    FormSenders,
    PostPolicies,
    {
      provide: AccessKeySource,
      inject: [CONFIG, ActorCredentials, TokenVerifier],
      useFactory: (
        { identityUrl }: S3Config,
        credentials: ActorCredentials,
        verifier: TokenVerifier,
      ) => new AccessKeySource({ identityUrl, credentials, verifier }),
    },
  ],
})
export class AuthModule {}
