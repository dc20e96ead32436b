/** An upload in lists. */
import type { XmlTree } from '../http/xml.js';
import type { Upload } from './upload.entity.js';

/** A project has no other name than its id. */
function account(projectId: string | null): XmlTree {
  return projectId === null ? undefined : { ID: projectId, DisplayName: projectId };
}

export function uploadElements(upload: Upload): Readonly<Record<string, XmlTree>> {
  return {
    UploadId: upload.id,
    Initiator: account(upload.initiatorId),
    Owner: account(upload.ownerId),
    StorageClass: upload.storageClass,
    ChecksumAlgorithm: upload.checksumAlgorithm ?? undefined,
    ChecksumType: upload.checksumType ?? undefined,
  };
}
