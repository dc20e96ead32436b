/**
 * Errors under the codes that S3's clients know. Public source: Amazon S3 API reference,
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
    const [kind, message] = ERROR_CODES.get(code) ?? (['bug', code] as const);
    super(options.kind ?? kind, options.message ?? message, options);
    // Logs name an error by this.
    this.name = `${code}Error`;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}

/** @param name of the wrong header, parameter or element */
export function invalidArgument(name: string, value: string | number, message: string): S3Error {
  const details = { ArgumentName: name, ArgumentValue: value };
  return new S3Error('InvalidArgument', { message, details });
}

/** The codes with their default messages, by the kind of failure, from which the status follows. */
const CODES = {
  invalid: {
    AccessControlListNotSupported: 'The bucket does not allow ACLs.',
    AuthorizationHeaderMalformed: 'The authorization header is malformed.',
    AuthorizationQueryParametersError: 'The query parameters of the presigned URL are malformed.',
    BadDigest: 'The Content-MD5 or checksum you specified did not match what we received.',
    BadRequest: 'Bad Request',
    EntityTooLarge: 'Your proposed upload exceeds the maximum allowed object size.',
    EntityTooSmall: 'Your proposed upload is smaller than the minimum allowed object size.',
    IllegalLocationConstraintException:
      'The region-specific endpoint that this request was sent to does not take this location constraint.',
    IllegalVersioningConfigurationException:
      'The versioning configuration specified in the request is invalid.',
    IncompleteBody:
      'You did not provide the number of bytes specified by the Content-Length HTTP header.',
    InvalidArgument: 'Invalid Argument',
    InvalidBucketAclWithObjectOwnership:
      "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting.",
    InvalidBucketName: 'The specified bucket is not valid.',
    InvalidDigest: 'The Content-MD5 or checksum value that you specified is not valid.',
    InvalidEncryptionAlgorithmError:
      'The encryption request you specified is not valid. The valid value is AES256.',
    InvalidLocationConstraint: 'The specified location constraint is not valid.',
    InvalidPart:
      "One or more of the specified parts could not be found. The part might not have been uploaded, or the specified entity tag might not have matched the part's entity tag.",
    InvalidPartOrder:
      'The list of parts was not in ascending order. Parts must be ordered by part number.',
    InvalidPolicyDocument:
      'The content of the form does not meet the conditions specified in the policy document.',
    InvalidRedirectLocation:
      'The website redirect location must have a prefix of http:// or https:// or /.',
    InvalidRequest: 'Invalid Request',
    InvalidRetentionPeriod: 'The retention period specified is invalid.',
    InvalidStorageClass: 'The storage class you specified is not valid.',
    InvalidTag: 'The tag provided was not a valid tag.',
    InvalidTargetBucketForLogging:
      'The target bucket for logging does not exist, is not owned by you, or does not have the appropriate grants for the log-delivery group.',
    InvalidURI: "Couldn't parse the specified URI.",
    KeyTooLongError: 'Your key is too long',
    MalformedACLError:
      'The XML you provided was not well-formed or did not validate against our published schema.',
    MalformedPOSTRequest: 'The body of your POST request is not well-formed multipart/form-data.',
    MalformedPolicy: "Policies must be valid JSON and the first byte must be '{'.",
    MalformedTrailerError:
      'The request contained trailing data that was not well-formed or did not conform to our published schema.',
    MalformedXML:
      'The XML you provided was not well-formed or did not validate against our published schema.',
    MaxPostPreDataLengthExceeded:
      'Your POST request fields preceding the upload file were too large.',
    MetadataTooLarge: 'Your metadata headers exceed the maximum allowed metadata size.',
    MissingAttachment: 'A part of the form, the file, is missing.',
    MissingRequestBodyError: 'Request body is empty.',
    MissingSecurityHeader: 'Your request was missing a required header.',
    RequestTimeout:
      'Your socket connection to the server was not read from or written to within the timeout period.',
    TooManyBuckets: 'You have attempted to create more buckets than allowed.',
    UnexpectedContent: 'This request contains unsupported content.',
    UnresolvableGrantByEmailAddress:
      'The email address you provided does not match any account on record.',
    UnsupportedSignature: 'The provided request is signed with an unsupported signature version.',
    UserKeyMustBeSpecified:
      'The bucket POST must contain the specified field name. If it is specified, check the order of the fields.',
    XAmzContentSHA256Mismatch:
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
  },
  forbidden: {
    AccessDenied: 'Access Denied',
    AccessForbidden: 'CORSResponse: This CORS request is not allowed.',
    CrossLocationLoggingProhibited:
      'Buckets in one region cannot be logged to a bucket in another.',
    InvalidAccessKeyId: 'The AWS access key Id you provided does not exist in our records.',
    InvalidObjectState: 'The operation is not valid for the current state of the object.',
    RequestTimeTooSkewed:
      'The difference between the request time and the current time is too large.',
    SignatureDoesNotMatch:
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  },
  conflict: {
    BucketAlreadyExists:
      'The requested bucket name is not available. Please select a different name and try again.',
    BucketAlreadyOwnedByYou:
      'Your previous request to create the named bucket succeeded and you already own it.',
    BucketNotEmpty: 'The bucket you tried to delete is not empty.',
    ConditionalRequestConflict:
      'A conflicting operation occurred during the request; try it again.',
    InvalidBucketState: 'The request is not valid with the current state of the bucket.',
    OperationAborted:
      'A conflicting conditional operation is currently in progress against this resource. Try again.',
  },
  bug: {
    InternalError: 'We encountered an internal error. Please try again.',
  },
  'range-not-satisfiable': {
    InvalidPartNumber: 'The requested partnumber is not satisfiable.',
    InvalidRange: 'The requested range is not satisfiable.',
  },
  'method-not-allowed': {
    MethodNotAllowed: 'The specified method is not allowed against this resource.',
  },
  'length-required': {
    MissingContentLength: 'You must provide the Content-Length HTTP header.',
  },
  'not-found': {
    NoSuchBucket: 'The specified bucket does not exist',
    NoSuchBucketPolicy: 'The bucket policy does not exist',
    NoSuchConfiguration: 'The specified configuration does not exist.',
    NoSuchCORSConfiguration: 'The CORS configuration does not exist',
    NoSuchKey: 'The specified key does not exist.',
    NoSuchLifecycleConfiguration: 'The lifecycle configuration does not exist',
    NoSuchObjectLockConfiguration: 'The specified object does not have a ObjectLock configuration',
    NoSuchPublicAccessBlockConfiguration: 'The public access block configuration was not found',
    NoSuchTagSet: 'The TagSet does not exist',
    NoSuchUpload:
      'The specified multipart upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
    NoSuchVersion: 'The specified version does not exist.',
    NoSuchWebsiteConfiguration: 'The specified bucket does not have a website configuration',
    ObjectLockConfigurationNotFoundError:
      'Object Lock configuration does not exist for this bucket',
    OwnershipControlsNotFoundError: 'The bucket ownership controls were not found',
    ReplicationConfigurationNotFoundError: 'The replication configuration was not found',
    ServerSideEncryptionConfigurationNotFoundError:
      'The server side encryption configuration was not found',
  },
  unsupported: {
    NotImplemented: 'A header or query you provided implies functionality that is not implemented.',
  },
  'precondition-failed': {
    NotModified: 'Not Modified',
    PreconditionFailed: 'At least one of the pre-conditions you specified did not hold',
    RequestIsNotMultiPartContent: 'Bucket POST must be of the enclosure-type multipart/form-data.',
  },
  'quota-exceeded': {
    QuotaExceeded: 'The quota of the project is exceeded.',
  },
  unavailable: {
    ServiceUnavailable: 'Service is unable to handle the request.',
    SlowDown: 'Please reduce your request rate.',
  },
} as const satisfies Partial<Record<ErrorKind, Readonly<Record<string, string>>>>;

type Codes = typeof CODES;

export type ErrorCode = { [Kind in keyof Codes]: keyof Codes[Kind] }[keyof Codes];

const ERROR_CODES: ReadonlyMap<string, readonly [ErrorKind, string]> = new Map(
  Object.entries(CODES).flatMap(([kind, codes]) =>
    Object.entries(codes).map(([code, message]) => [code, [kind as ErrorKind, message]] as const),
  ),
);
