/** The settings of the images service, read from the environment once. */
import { choice, integer, loadSettings, text, type Values } from '@cumulet/common/config/settings';
import { identitySettings, serviceSettings } from '@cumulet/common/config/service-settings';

const TIB = 1024 ** 4;

export const IMAGE_STORES = ['file', 'memory'] as const;

export const imagesSettings = {
  ...serviceSettings('IMAGES', 9292),
  ...identitySettings(),
  store: choice('IMAGES_STORE', IMAGE_STORES, {
    about: 'Where the data of images is kept: in files, or in memory to try things out.',
    default: 'file',
  }),
  storeFolder: text('IMAGES_STORE_FOLDER', {
    about: 'Folder of the file store; every process of the service must see the same one.',
    default: '/var/lib/cumulet/images',
  }),
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
  uploadStallSeconds: integer('IMAGES_UPLOAD_STALL_SECONDS', {
    about: 'Seconds without a byte after which an upload is broken off.',
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
