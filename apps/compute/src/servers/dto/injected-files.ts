/**
 * Files that a client gives a server, its `personality`; ended by 2.57 in favour of user data.
 * cloud-init takes them from the config drive. Public source: Nova API reference, "Create Server".
 */
import { errorOf } from '@cumulet/common/errors/domain-error';
import { CheckedField, StringField } from '@cumulet/common/http/fields';
import type { InjectedFile } from '../../hypervisor/ports/guest-spec.js';
import type { ComputeLimits } from '../../quotas/compute-quotas.js';

export class InjectedFileDto {
  @StringField({
    max: 4_096,
    description: 'The path in the guest; limited by the quota `injected_file_path_bytes`.',
  })
  path: string;

  @CheckedField(
    isBase64,
    'must be base64',
    { type: 'string' },
    { description: 'The content in base64; limited by the quota `injected_file_content_bytes`.' },
  )
  contents: string;
}

export class InjectedFileLimitError extends errorOf(
  'quota-exceeded',
  (what: string, most: number) => `Personality file ${what}: at most ${most}.`,
) {}

/** @throws InjectedFileLimitError naming the first file that is too large, or their number */
export function injectedFilesOf(
  files: readonly InjectedFileDto[],
  limits: ComputeLimits,
): InjectedFile[] {
  const check = (size: number, name: keyof ComputeLimits, what: string): void => {
    const limit = limits[name];
    if (limit >= 0 && size > limit) throw new InjectedFileLimitError(what, limit);
  };
  check(files.length, 'injected_files', `limit exceeded, with ${files.length} files`);
  return files.map(({ path, contents }) => {
    const pathBytes = Buffer.byteLength(path);
    const bytes = Buffer.from(contents, 'base64').length;
    check(pathBytes, 'injected_file_path_bytes', `path is too long, with ${pathBytes} bytes`);
    check(
      bytes,
      'injected_file_content_bytes',
      `content of ${path} is too large, with ${bytes} bytes`,
    );
    return { path, contents };
  });
}

const BASE64 = /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/;

/** Line breaks are allowed. */
function isBase64(value: unknown): value is string {
  if (typeof value !== 'string' || !BASE64.test(value)) return false;
  return value.replaceAll(/\s/g, '').length % 4 === 0;
}

/** User data: base64 of at most 65535 bytes encoded (Nova API reference, "Create Server"). */
const LONGEST = 65_535;

export function isUserData(value: unknown): boolean {
  return isBase64(value) && value.length <= LONGEST;
}
