/** What a sub-resource of buckets consists of; its operations follow from that. */
import type { Bucket } from '../buckets/bucket.entity.js';
import type { ErrorCode } from '../http/error-codes.js';
import type { XmlElement, XmlTree } from '../http/xml.js';
import type { OperationName } from '../operations/operations.js';
import type { ConfigurationKind, Configurations } from './configurations.js';

export type Configured<Kind extends ConfigurationKind> = NonNullable<Configurations[Kind]>;

export interface ConfigurationPage<Kind extends ConfigurationKind = ConfigurationKind> {
  readonly kind: Kind;
  /** The outermost element of its document. */
  readonly root: string;
  readonly operations: {
    readonly get: OperationName;
    /** Absent where putting it would have no effect: then it answers `NotImplemented` by name. */
    readonly put?: OperationName;
    readonly delete?: OperationName;
  };
  /**
   * @returns null to configure nothing
   * @throws S3Error MalformedXML, and what else is wrong with it
   */
  parse(document: XmlElement, bucket: Bucket): Configured<Kind> | null;
  show(value: Configured<Kind>): XmlTree;
  /** What reading it fails with where nothing is configured, or what is answered then. */
  readonly absent: ErrorCode | { readonly shown: XmlTree };
  /** What putting it answers: 200 by default. */
  readonly putStatus?: number;
  /** Of the answers to reading and putting it. */
  readonly headers?: Readonly<Record<string, string>>;
}
