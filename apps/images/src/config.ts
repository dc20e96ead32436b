import {
  boolean,
  choice,
  folder,
  integer,
  integers,
  loadSettings,
  optional,
  text,
  type Values,
} from '@cumulet/common/config/settings';
import { identitySettings, serviceSettings } from '@cumulet/common/service/service-settings';
import { storeSettings } from '@cumulet/storage/stores/store-settings';

const TIB = 1024 ** 4;

/** The noun for stored objects in the store's errors. */
export const STORED_KIND = 'image';

export const CONVERSION_TARGETS = ['none', 'raw', 'qcow2'] as const;

const importSettings = {
  importConcurrency: integer('IMAGES_IMPORT_CONCURRENCY', {
    about: 'Imports of staged data that one worker process runs at a time.',
    default: 4,
    min: 1,
    max: 64,
  }),
  importsPerProject: integer('IMAGES_IMPORTS_PER_PROJECT', {
    about: 'Imports of one project that all processes together run at a time; others wait.',
    default: 2,
    min: 1,
    max: 1_000,
  }),
  importConvertTo: choice('IMAGES_IMPORT_CONVERT_TO', CONVERSION_TARGETS, {
    about: 'Format that raw and qcow2 images are converted to when they are imported.',
    default: 'none',
  }),
  importFolder: folder('IMAGES_IMPORT_FOLDER', {
    about: 'Folder for temporary files of conversions; each process has its own files.',
    default: '/var/tmp/cumulet-imports',
    folder: 'imports',
  }),
  convertSeconds: integer('IMAGES_IMPORT_CONVERT_SECONDS', {
    about: 'Seconds that the conversion of an image may take.',
    default: 1_800,
    min: 1,
    max: 86_400,
  }),
  searchPath: text('PATH', {
    about: 'Folders that are searched for qemu-img and prlimit.',
    default: '/usr/bin',
  }),
  webDownload: boolean('IMAGES_WEB_DOWNLOAD', {
    about: 'Whether images can be imported from addresses on the web.',
    default: true,
  }),
  webDownloadConcurrency: integer('IMAGES_WEB_DOWNLOAD_CONCURRENCY', {
    about: 'Imports from the web that one worker process runs at a time.',
    default: 4,
    min: 1,
    max: 64,
  }),
  webDownloadLeastSpeed: integer('IMAGES_WEB_DOWNLOAD_LEAST_SPEED', {
    about:
      'Bytes per second, on average over a minute, below which a web-download is aborted; 0 for no limit.',
    default: 1_024,
    min: 0,
    max: 1_000_000_000,
  }),
  webDownloadPorts: integers('IMAGES_WEB_DOWNLOAD_PORTS', {
    about: 'Ports that images may be imported from.',
    default: [80, 443],
    min: 1,
    max: 65_535,
  }),
  webDownloadAllowPrivate: boolean('IMAGES_WEB_DOWNLOAD_ALLOW_PRIVATE', {
    about:
      'Whether images may be imported from private and local addresses too, which lets users reach whatever this service reaches.',
    default: false,
  }),
  taskLifetimeHours: integer('IMAGES_TASK_LIFETIME_HOURS', {
    about: 'Hours after which an ended task is deleted.',
    default: 48,
    min: 1,
    max: 87_600,
  }),
};

const scrubSettings = {
  scrubSeconds: integer('IMAGES_SCRUB_SECONDS', {
    about: 'Seconds between two comparisons of the stored bytes of an image with their checksum.',
    default: 7 * 24 * 3_600,
    min: 1,
    max: 1_000_000_000,
  }),
  scrubBytesPerSecond: integer('IMAGES_SCRUB_BYTES_PER_SECOND', {
    about:
      'Bytes per second that a process reads to compare stored bytes; 0 disables the comparison.',
    default: 20 * 1024 * 1024,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  }),
};

export const imagesSettings = {
  ...serviceSettings('IMAGES', 9292),
  ...identitySettings(),
  ...storeSettings('IMAGES', { holds: STORED_KIND, s3Prefix: 'IMAGES_S3', folder: 'images' }),
  imageSizeLimit: integer('IMAGES_SIZE_LIMIT', {
    about: 'Bytes that the data of one image may have.',
    default: TIB,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  }),
  imageQuota: integer('IMAGES_QUOTA_COUNT', {
    about: 'Images that a project may have; -1 for no limit.',
    default: 100,
    min: -1,
    max: 1_000_000_000,
  }),
  imageBytesQuota: integer('IMAGES_QUOTA_BYTES', {
    about: 'Bytes that the images of a project may have together; -1 for no limit.',
    default: TIB,
    min: -1,
    max: Number.MAX_SAFE_INTEGER,
  }),
  imageStagingQuota: optional(
    integer('IMAGES_QUOTA_STAGING_BYTES', {
      about:
        'Bytes that a project may have staged for imports, in addition to those of its images; -1 for no limit; by default, as many as IMAGES_QUOTA_BYTES.',
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
    about: 'Uploads and imports of a project that may run at once; -1 for no limit.',
    default: 100,
    min: -1,
    max: 1_000_000_000,
  }),
  imageMemberQuota: integer('IMAGES_QUOTA_MEMBERS', {
    about: 'Projects that one image may be shared with; -1 for no limit.',
    default: 128,
    min: -1,
    max: 1_000_000_000,
  }),
  ...importSettings,
  ...scrubSettings,
  uploadStallSeconds: integer('IMAGES_UPLOAD_STALL_SECONDS', {
    about: 'Seconds without a byte after which an upload or a web-download is aborted.',
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
