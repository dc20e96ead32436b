/**
 * What goes wrong, under the codes that S3's clients know. Public source: Amazon S3 API reference,
 * "Error responses".
 */
import {
  DomainError,
  type DomainErrorOptions,
  type ErrorKind,
} from '@cumulet/common/errors/domain-error';

/** Further elements of the body: `{ Key: 'a' }`. */
export type ErrorDetails = Readonly<Record<string, string | number>>;

export interface S3ErrorOptions extends DomainErrorOptions {
  /** By default that of the code. */
  readonly message?: string;
  /** By default that of the code; the status follows from it. */
  readonly kind?: ErrorKind;
  readonly details?: ErrorDetails;
  /** Headers of the answer: `{ 'x-amz-delete-marker': 'true' }`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export class S3Error extends DomainError {
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    options: S3ErrorOptions = {},
  ) {
    const [kind, message]: readonly [ErrorKind, string] = ERROR_CODES[code];
    super(options.kind ?? kind, options.message ?? message, options);
    // Logs name an error by this.
    this.name = `${code}Error`;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}

/** @param name of what is wrong: a header, a parameter, an element */
export function invalidArgument(name: string, value: string | number, message: string): S3Error {
  const details = { ArgumentName: name, ArgumentValue: value };
  return new S3Error('InvalidArgument', { message, details });
}

const CODES = {
  AccessControlListNotSupported: ['invalid', 'The bucket does not allow ACLs.'],
  AccessDenied: ['forbidden', 'Access Denied'],
  AccessForbidden: ['forbidden', 'CORSResponse: This CORS request is not allowed.'],
  AuthorizationHeaderMalformed: ['invalid', 'The authorization header is malformed.'],
  AuthorizationQueryParametersError: [
    'invalid',
    'The query parameters of the presigned URL are malformed.',
  ],
  BadDigest: [
    'invalid',
    'The Content-MD5 or checksum you specified did not match what we received.',
  ],
  BadRequest: ['invalid', 'Bad Request'],
  BucketAlreadyExists: [
    'conflict',
    'The requested bucket name is not available. Please select a different name and try again.',
  ],
  BucketAlreadyOwnedByYou: [
    'conflict',
    'Your previous request to create the named bucket succeeded and you already own it.',
  ],
  BucketNotEmpty: ['conflict', 'The bucket you tried to delete is not empty.'],
  ConditionalRequestConflict: [
    'conflict',
    'A conflicting operation occurred during the request; try it again.',
  ],
  CrossLocationLoggingProhibited: [
    'forbidden',
    'Buckets in one region cannot be logged to a bucket in another.',
  ],
  EntityTooLarge: ['invalid', 'Your proposed upload exceeds the maximum allowed object size.'],
  EntityTooSmall: [
    'invalid',
    'Your proposed upload is smaller than the minimum allowed object size.',
  ],
  IllegalLocationConstraintException: [
    'invalid',
    'The region-specific endpoint that this request was sent to does not take this location constraint.',
  ],
  IllegalVersioningConfigurationException: [
    'invalid',
    'The versioning configuration specified in the request is invalid.',
  ],
  IncompleteBody: [
    'invalid',
    'You did not provide the number of bytes specified by the Content-Length HTTP header.',
  ],
  InternalError: ['bug', 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [
    'forbidden',
    'The AWS access key Id you provided does not exist in our records.',
  ],
  InvalidArgument: ['invalid', 'Invalid Argument'],
  InvalidBucketAclWithObjectOwnership: [
    'invalid',
    "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting.",
  ],
  InvalidBucketName: ['invalid', 'The specified bucket is not valid.'],
  InvalidBucketState: [
    'conflict',
    'The request is not valid with the current state of the bucket.',
  ],
  InvalidDigest: ['invalid', 'The Content-MD5 or checksum value that you specified is not valid.'],
  InvalidEncryptionAlgorithmError: [
    'invalid',
    'The encryption request you specified is not valid. The valid value is AES256.',
  ],
  InvalidLocationConstraint: ['invalid', 'The specified location constraint is not valid.'],
  InvalidObjectState: [
    'forbidden',
    'The operation is not valid for the current state of the object.',
  ],
  InvalidPart: [
    'invalid',
    "One or more of the specified parts could not be found. The part might not have been uploaded, or the specified entity tag might not have matched the part's entity tag.",
  ],
  InvalidPartNumber: ['range-not-satisfiable', 'The requested partnumber is not satisfiable.'],
  InvalidPartOrder: [
    'invalid',
    'The list of parts was not in ascending order. Parts must be ordered by part number.',
  ],
  InvalidPolicyDocument: [
    'invalid',
    'The content of the form does not meet the conditions specified in the policy document.',
  ],
  InvalidRange: ['range-not-satisfiable', 'The requested range is not satisfiable.'],
  InvalidRedirectLocation: [
    'invalid',
    'The website redirect location must have a prefix of http:// or https:// or /.',
  ],
  InvalidRequest: ['invalid', 'Invalid Request'],
  InvalidRetentionPeriod: ['invalid', 'The retention period specified is invalid.'],
  InvalidStorageClass: ['invalid', 'The storage class you specified is not valid.'],
  InvalidTag: ['invalid', 'The tag provided was not a valid tag.'],
  InvalidTargetBucketForLogging: [
    'invalid',
    'The target bucket for logging does not exist, is not owned by you, or does not have the appropriate grants for the log-delivery group.',
  ],
  InvalidURI: ['invalid', "Couldn't parse the specified URI."],
  KeyTooLongError: ['invalid', 'Your key is too long'],
  MalformedACLError: [
    'invalid',
    'The XML you provided was not well-formed or did not validate against our published schema.',
  ],
  MalformedPOSTRequest: [
    'invalid',
    'The body of your POST request is not well-formed multipart/form-data.',
  ],
  MalformedPolicy: ['invalid', "Policies must be valid JSON and the first byte must be '{'."],
  MalformedTrailerError: [
    'invalid',
    'The request contained trailing data that was not well-formed or did not conform to our published schema.',
  ],
  MalformedXML: [
    'invalid',
    'The XML you provided was not well-formed or did not validate against our published schema.',
  ],
  MaxPostPreDataLengthExceeded: [
    'invalid',
    'Your POST request fields preceding the upload file were too large.',
  ],
  MetadataTooLarge: ['invalid', 'Your metadata headers exceed the maximum allowed metadata size.'],
  MethodNotAllowed: [
    'method-not-allowed',
    'The specified method is not allowed against this resource.',
  ],
  MissingAttachment: ['invalid', 'A part of the form, the file, is missing.'],
  MissingContentLength: ['length-required', 'You must provide the Content-Length HTTP header.'],
  MissingRequestBodyError: ['invalid', 'Request body is empty.'],
  MissingSecurityHeader: ['invalid', 'Your request was missing a required header.'],
  NoSuchBucket: ['not-found', 'The specified bucket does not exist'],
  NoSuchBucketPolicy: ['not-found', 'The bucket policy does not exist'],
  NoSuchConfiguration: ['not-found', 'The specified configuration does not exist.'],
  NoSuchCORSConfiguration: ['not-found', 'The CORS configuration does not exist'],
  NoSuchKey: ['not-found', 'The specified key does not exist.'],
  NoSuchLifecycleConfiguration: ['not-found', 'The lifecycle configuration does not exist'],
  NoSuchObjectLockConfiguration: [
    'not-found',
    'The specified object does not have a ObjectLock configuration',
  ],
  NoSuchPublicAccessBlockConfiguration: [
    'not-found',
    'The public access block configuration was not found',
  ],
  NoSuchTagSet: ['not-found', 'The TagSet does not exist'],
  NoSuchUpload: [
    'not-found',
    'The specified multipart upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  ],
  NoSuchVersion: ['not-found', 'The specified version does not exist.'],
  NoSuchWebsiteConfiguration: [
    'not-found',
    'The specified bucket does not have a website configuration',
  ],
  NotImplemented: [
    'unsupported',
    'A header or query you provided implies functionality that is not implemented.',
  ],
  NotModified: ['precondition-failed', 'Not Modified'],
  ObjectLockConfigurationNotFoundError: [
    'not-found',
    'Object Lock configuration does not exist for this bucket',
  ],
  OperationAborted: [
    'conflict',
    'A conflicting conditional operation is currently in progress against this resource. Try again.',
  ],
  OwnershipControlsNotFoundError: ['not-found', 'The bucket ownership controls were not found'],
  PreconditionFailed: [
    'precondition-failed',
    'At least one of the pre-conditions you specified did not hold',
  ],
  QuotaExceeded: ['quota-exceeded', 'The quota of the project is exceeded.'],
  ReplicationConfigurationNotFoundError: [
    'not-found',
    'The replication configuration was not found',
  ],
  RequestIsNotMultiPartContent: [
    'precondition-failed',
    'Bucket POST must be of the enclosure-type multipart/form-data.',
  ],
  RequestTimeout: [
    'invalid',
    'Your socket connection to the server was not read from or written to within the timeout period.',
  ],
  RequestTimeTooSkewed: [
    'forbidden',
    'The difference between the request time and the current time is too large.',
  ],
  ServerSideEncryptionConfigurationNotFoundError: [
    'not-found',
    'The server side encryption configuration was not found',
  ],
  ServiceUnavailable: ['unavailable', 'Service is unable to handle the request.'],
  SignatureDoesNotMatch: [
    'forbidden',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  ],
  SlowDown: ['unavailable', 'Please reduce your request rate.'],
  TooManyBuckets: ['invalid', 'You have attempted to create more buckets than allowed.'],
  UnexpectedContent: ['invalid', 'This request contains unsupported content.'],
  UnresolvableGrantByEmailAddress: [
    'invalid',
    'The email address you provided does not match any account on record.',
  ],
  UnsupportedSignature: [
    'invalid',
    'The provided request is signed with an unsupported signature version.',
  ],
  UserKeyMustBeSpecified: [
    'invalid',
    'The bucket POST must contain the specified field name. If it is specified, check the order of the fields.',
  ],
  XAmzContentSHA256Mismatch: [
    'invalid',
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  ],
} as const satisfies Readonly<Record<string, readonly [ErrorKind, string]>>;

export type ErrorCode = keyof typeof CODES;

/** Each code with its kind, from which the status follows, and its default message. */
const ERROR_CODES: Readonly<Record<ErrorCode, readonly [ErrorKind, string]>> = CODES;
