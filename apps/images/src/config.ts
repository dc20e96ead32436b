/** The settings of the images service, read from the environment once. */
import { integer, loadSettings, optional, type Values } from '@cumulet/common/config/settings';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';
import { storeSettings } from '@cumulet/storage/stores/store-settings';
import { importSettings } from './imports/import.settings.js';
import { scrubSettings } from './scrub/scrub.settings.js';
import { HELD } from './store/image-store.js';

const TIB = 1024 ** 4;

export const imagesSettings = {
  ...serviceSettings('IMAGES', 9292),
  ...identitySettings(),
  ...storeSettings('IMAGES', { holds: HELD, s3Prefix: 'IMAGES_S3', folder: 'images' }),
  imageSizeLimit: integer('IMAGES_SIZE_LIMIT', {
    about: 'Bytes that the data of one image may have.',
    default: TIB,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  }),
  imageQuota: integer('IMAGES_QUOTA_COUNT', {
    about: 'Images that a project may have; -1 is without limit.',
    default: 100,
    min: -1,
    max: 1_000_000_000,
  }),
  imageBytesQuota: integer('IMAGES_QUOTA_BYTES', {
    about: 'Bytes that the images of a project may have together; -1 is without limit.',
    default: TIB,
    min: -1,
    max: Number.MAX_SAFE_INTEGER,
  }),
  imageStagingQuota: optional(
    integer('IMAGES_QUOTA_STAGING_BYTES', {
      about:
        'Bytes that a project may have staged for imports, beside those of its images; -1 is without limit, and unset as many as IMAGES_QUOTA_BYTES.',
      min: -1,
      max: Number.MAX_SAFE_INTEGER,
    }),
  ),
  stagedHours: integer('IMAGES_STAGED_HOURS', {
    about: 'Hours after which staged data is removed that nobody has imported.',
    default: 168,
    min: 1,
    max: 87_600,
  }),
  imageUploadQuota: integer('IMAGES_QUOTA_UPLOADS', {
    about: 'Uploads and imports of a project that may be under way at once; -1 is without limit.',
    default: 100,
    min: -1,
    max: 1_000_000_000,
  }),
  imageMemberQuota: integer('IMAGES_QUOTA_MEMBERS', {
    about: 'Projects that one image may be shared with; -1 is without limit.',
    default: 128,
    min: -1,
    max: 1_000_000_000,
  }),
  ...importSettings,
  ...scrubSettings,
  uploadStallSeconds: integer('IMAGES_UPLOAD_STALL_SECONDS', {
    about: 'Seconds without a byte after which an upload or a web-download is broken off.',
    default: 60,
    min: 1,
    max: 3_600,
  }),
};

export type ImagesConfig = Values<typeof imagesSettings>;

/** @throws SettingError naming the first variable that is missing or bad */
export function loadImagesConfig(env: Readonly<Record<string, string | undefined>>): ImagesConfig {
  return loadSettings(imagesSettings, env);
}
