/** Signed requests, as keystonemiddleware, Swift and Heat send them. */
import { Body, Controller, Injectable, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import {
  DomainError,
  InvalidInputError,
  UnauthenticatedError,
} from '@cumulet/common/errors/domain-error';
import { CheckedField, ObjectField, StringField } from '@cumulet/common/http/fields';
import { Operation } from '@cumulet/common/http/operation';
import type { OpenCredential } from '../credentials/credential.resource.js';
import { CredentialsService } from '../credentials/credentials.service.js';
import { accessKeyId, signingSecret } from '../credentials/ec2-blob.js';
import { readTimestamp } from '../http/timestamp.js';
import { BY_ACCESS_KEY } from '../policy/caller.js';
import { Protected } from '../policy/protected.js';
import { type IssuedToken, tokenBody, TokensService } from '../tokens/tokens.service.js';
import { TokenBody } from '../tokens/token.view.js';
import { isSignedBy, isTextSignedBy } from './ec2-signature.js';
import { keyHolder } from './key-holder.js';

function TextsField(): PropertyDecorator {
  return CheckedField(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((one) => typeof one === 'string'),
    'must be an object whose values are strings',
    { type: 'object', additionalProperties: { type: 'string' } },
    { optional: true },
  );
}

class SignatureDto {
  @StringField()
  access: string;

  @StringField({ max: 1024 })
  signature: string;
}

class Ec2RequestDto extends SignatureDto {
  @StringField({ optional: true, min: 0 })
  verb?: string;

  @StringField({ optional: true, min: 0 })
  host?: string;

  @StringField({ optional: true, min: 0, max: 16_384 })
  path?: string;

  @TextsField()
  params?: Readonly<Record<string, string>>;

  @TextsField()
  headers?: Readonly<Record<string, string>>;

  /** The SHA-256 of the request's body in hexadecimal. */
  @StringField({ optional: true, min: 0 })
  body_hash?: string;
}

class S3RequestDto extends SignatureDto {
  /** The string to sign, in base64url. */
  @StringField({ max: 65_536 })
  token: string;
}

/** Keystone accepts three names. */
class Ec2TokenBody {
  @ObjectField(() => Ec2RequestDto, { optional: true })
  credentials?: Ec2RequestDto;

  @ObjectField(() => Ec2RequestDto, { optional: true })
  credential?: Ec2RequestDto;

  @ObjectField(() => Ec2RequestDto, { optional: true })
  ec2Credentials?: Ec2RequestDto;
}

class S3TokenBody {
  @ObjectField(() => S3RequestDto, { optional: true })
  credentials?: S3RequestDto;

  @ObjectField(() => S3RequestDto, { optional: true })
  credential?: S3RequestDto;

  @ObjectField(() => S3RequestDto, { optional: true })
  ec2Credentials?: S3RequestDto;
}

/** Milliseconds after its signature for which a request is accepted, as in Keystone. */
const MAX_AGE = 15 * 60_000;

interface SignatureClaim {
  readonly access: string;
  /** As the request states. */
  readonly signedAt?: string | undefined;
  readonly isSignedBy: (secret: string) => boolean;
}

@Injectable()
export class Ec2TokensService {
  constructor(
    private readonly credentials: CredentialsService,
    private readonly tokens: TokensService,
  ) {}

  /**
   * The token is scoped to the key's project and limited by the delegation that created the key. As in
   * Keystone, rules for several factors do not apply to keys.
   * @throws DomainError for an unknown key, also for one that is to act within another delegation
   * @throws UnauthenticatedError for another signature, a request that is too old, a user that is
   *   disabled or has no role on the project, and a trust or application credential that has ended
   * @throws ForbiddenError where the trustor of the key's trust has lost a role
   */
  async issue(ctx: RequestContext, claim: SignatureClaim): Promise<IssuedToken> {
    const credential = await this.credentials.find(ctx, accessKeyId(claim.access));
    const secret = credential && signingSecret(credential);
    if (!credential || credential.projectId === null || secret === undefined)
      throw new DomainError('not-found', 'EC2 access key not found.');
    if (!claim.isSignedBy(secret) || isTooOld(claim.signedAt)) throw new UnauthenticatedError();
    const holder = await keyHolder(ctx, credential);
    if (!holder) throw new UnauthenticatedError();
    const confirm = (tx: RequestContext): Promise<boolean> => this.#stands(tx, credential);
    const { scope, ...prover } = holder;
    return this.tokens.issueTo(ctx, { ...prover, methods: [BY_ACCESS_KEY], confirm }, scope);
  }

  async #stands(tx: RequestContext, read: OpenCredential): Promise<boolean> {
    const now = await this.credentials.find(tx, read.id);
    return (
      now?.blob === read.blob && now.userId === read.userId && now.projectId === read.projectId
    );
  }
}

/** @param signedAt with or without dashes and colons */
function isTooOld(signedAt: string | undefined): boolean {
  if (signedAt === undefined) return false;
  const basic = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
  const moment = readTimestamp(signedAt.replace(basic, '$1-$2-$3T$4:$5:$6Z'));
  return moment === undefined || Date.now() > moment.getTime() + MAX_AGE;
}

@ApiTags('EC2 and S3 tokens')
@Controller('v3')
export class Ec2TokensController {
  constructor(private readonly service: Ec2TokensService) {}

  @Post('ec2tokens')
  @Protected('identity:ec2tokens_validate')
  @Operation('Issue a token for a request signed for EC2', TokenBody, {
    status: 200,
    creates: false,
    errors: [404],
  })
  async issueForEc2(
    @Ctx() ctx: RequestContext,
    @Body() body: Ec2TokenBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TokenBody> {
    const given = required(body.credentials ?? body.credential ?? body.ec2Credentials);
    const { verb = '', host = '', path = '', params = {}, headers = {}, signature } = given;
    const request = { verb, host, path, params, headers, bodyHash: given.body_hash ?? '' };
    const issued = await this.service.issue(ctx, {
      access: given.access,
      signedAt: params['Timestamp'] ?? headers['X-Amz-Date'] ?? params['X-Amz-Date'],
      isSignedBy: (secret) => isSignedBy(secret, request, signature),
    });
    void reply.header('X-Subject-Token', issued.signed);
    return tokenBody(ctx, issued.token);
  }

  /** Returns no signed token: whoever forwards a request knows its string to sign. */
  @Post('s3tokens')
  @Protected('identity:s3tokens_validate')
  @Operation('Check a request signed for S3', TokenBody, {
    status: 200,
    creates: false,
    errors: [404],
  })
  async checkForS3(@Ctx() ctx: RequestContext, @Body() body: S3TokenBody): Promise<TokenBody> {
    const given = required(body.credentials ?? body.credential ?? body.ec2Credentials);
    const text = Buffer.from(given.token, 'base64url').toString();
    const issued = await this.service.issue(ctx, {
      access: given.access,
      isSignedBy: (secret) => isTextSignedBy(secret, text, given.signature),
    });
    return tokenBody(ctx, issued.token);
  }
}

function required<T>(credentials: T | undefined): T {
  if (credentials) return credentials;
  throw new InvalidInputError('Invalid input: credentials is required.');
}
