/** The settings of a service's store of bytes, and their validation. */
import {
  choice,
  folder,
  optional,
  SettingError,
  text,
  url,
  type Settings,
  type Values,
} from '@cumulet/common/config/settings';

export const STORES = ['file', 's3', 'memory'] as const;

export interface StoreSettingsOptions {
  /** The kind of data, in one word: `image`. */
  readonly holds: string;
  /** Prefix of the variables of the S3 store: `IMAGES_S3`. */
  readonly s3Prefix: string;
  /** Name of the folder within the platform's data, and prefix of names in a bucket: `images`. */
  readonly folder: string;
}

export type StoreSettings = ReturnType<typeof storeSettings>;
export type StoreConfig = Values<StoreSettings>;

/** @param prefix of the variables: `IMAGES` */
export function storeSettings(prefix: string, options: StoreSettingsOptions) {
  const { holds, s3Prefix } = options;
  return {
    store: choice(`${prefix}_STORE`, STORES, {
      about: `Store of the data of ${holds}s: files, a bucket, or memory to try things out.`,
      default: 'file',
    }),
    storeFolder: folder(`${prefix}_STORE_FOLDER`, {
      about: 'Folder of the file store; every process of the service must see the same one.',
      default: `/var/lib/cumulet/${options.folder}`,
      folder: options.folder,
    }),
    s3Endpoint: optional(
      url(`${s3Prefix}_ENDPOINT`, { about: 'Address of the S3 service that the S3 store uses.' }),
    ),
    s3Region: text(`${s3Prefix}_REGION`, {
      about: 'Region for which requests of the S3 store are signed.',
      default: 'us-east-1',
    }),
    s3Bucket: optional(
      text(`${s3Prefix}_BUCKET`, { about: 'Bucket of the S3 store, which must exist.' }),
    ),
    s3Prefix: text(`${s3Prefix}_PREFIX`, {
      about: 'Prefix of the names of all objects of the S3 store.',
      default: `${options.folder}/`,
    }),
    s3AccessKey: optional(
      text(`${s3Prefix}_ACCESS_KEY`, { about: 'Access key of the S3 store.', secret: true }),
    ),
    s3SecretKey: optional(
      text(`${s3Prefix}_SECRET_KEY`, { about: 'Secret key of the S3 store.', secret: true }),
    ),
  } satisfies Settings;
}

/** The location of the S3 store's objects. */
export type S3Location = Readonly<ReturnType<typeof s3Location>>;

/** @throws SettingError naming the first required variable that is missing */
export function s3Location(settings: StoreSettings, config: StoreConfig) {
  const given = (key: 's3Endpoint' | 's3Bucket' | 's3AccessKey' | 's3SecretKey'): string => {
    const value = config[key];
    if (value !== undefined) return value;
    throw new SettingError(`${settings[key].env} is required if ${settings.store.env} is s3`);
  };
  return {
    endpoint: given('s3Endpoint'),
    region: config.s3Region,
    bucket: given('s3Bucket'),
    prefix: config.s3Prefix,
    accessKey: given('s3AccessKey'),
    secretKey: given('s3SecretKey'),
  };
}
