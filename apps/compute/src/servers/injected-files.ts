/**
 * Files that a client gives a server on its way, its `personality`; microversion 2.57 ended them in
 * favour of user data. The guest finds them on its config drive, where cloud-init takes them from.
 * Public source: Nova API reference, "Create Server"; its limits are the defaults of Nova's quotas
 * `injected_files`, `injected_file_path_bytes` and `injected_file_content_bytes`.
 */
import { DomainError } from '@cumulet/common/errors/domain-error';
import { CheckedField, StringField } from '@cumulet/common/http/fields';
import type { InjectedFile } from '../hypervisor/hypervisor-driver.js';
import { isBase64 } from './base64.js';

const MAX_FILES = 5;
const MAX_PATH_BYTES = 255;
const MAX_CONTENT_BYTES = 10 * 1024;

export class InjectedFileDto {
  @StringField({ max: 4_096, description: 'Where the guest puts it; at most 255 bytes.' })
  path: string;

  @CheckedField(
    isBase64,
    'must be base64',
    { type: 'string' },
    { description: 'Base64 of at most 10240 bytes.' },
  )
  contents: string;
}

export class InjectedFileLimitError extends DomainError {
  constructor(what: string, most: string) {
    super('quota-exceeded', `Personality file ${what}: at most ${most}.`);
  }
}

/** @throws InjectedFileLimitError naming the first file that is too large, or too many of them */
export function injectedFilesOf(files: readonly InjectedFileDto[] = []): InjectedFile[] {
  if (files.length > MAX_FILES)
    throw new InjectedFileLimitError(
      `limit exceeded, with ${files.length} files`,
      String(MAX_FILES),
    );
  return files.map(({ path, contents }) => {
    const [pathBytes, contentBytes] = [
      Buffer.byteLength(path),
      Buffer.from(contents, 'base64').length,
    ];
    if (pathBytes > MAX_PATH_BYTES)
      throw new InjectedFileLimitError(
        `path is too long, with ${pathBytes} bytes`,
        `${MAX_PATH_BYTES}`,
      );
    if (contentBytes > MAX_CONTENT_BYTES)
      throw new InjectedFileLimitError(
        `content of ${path} is too large, with ${contentBytes} bytes`,
        `${MAX_CONTENT_BYTES}`,
      );
    return { path, contents };
  });
}
