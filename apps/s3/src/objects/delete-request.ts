/** What a bulk deletion asks for. Public source: Amazon S3 API reference, DeleteObjects. Pure. */
import { malformed, type XmlElement } from '../http/xml.js';
import { matchedSize, matchedTime, type WriteConditions } from './write-conditions.js';

export interface DeletedKey {
  readonly key: string;
  readonly versionId: string | undefined;
  readonly conditions: WriteConditions;
}

export interface DeleteRequest {
  readonly keys: readonly DeletedKey[];
  /** Whether only what fails is to be answered. */
  readonly isQuiet: boolean;
}

const MAX_KEYS = 1000;

/** @param root the element `Delete`. @throws S3Error MalformedXML, InvalidArgument */
export function deleteRequestOf(root: XmlElement): DeleteRequest {
  const objects = root.children('Object');
  if (objects.length === 0) throw malformed('Delete has no Object.');
  if (objects.length > MAX_KEYS)
    throw malformed(`Delete has ${objects.length} elements Object; ${MAX_KEYS} are allowed.`);
  return {
    keys: objects.map(keyOf),
    isQuiet: root.child('Quiet')?.text.trim().toLowerCase() === 'true',
  };
}

function keyOf(object: XmlElement): DeletedKey {
  const key = object.need('Key').text;
  if (key === '') throw malformed('Object has an empty Key.');
  const time = object.child('LastModifiedTime')?.text;
  const size = object.child('Size')?.text;
  return {
    key,
    versionId: object.child('VersionId')?.text,
    conditions: {
      ifMatch: object.child('ETag')?.text,
      ifMatchLastModifiedTime: time === undefined ? undefined : matchedTime(time),
      ifMatchSize: size === undefined ? undefined : matchedSize(size),
    },
  };
}
