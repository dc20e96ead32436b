/** The settings of the S3 store, and their validation. */
import { optional, SettingError, text, url, type Values } from '@cumulet/common/config/settings';

export const s3Settings = {
  s3Endpoint: optional(
    url('IMAGES_S3_ENDPOINT', { about: 'Address of the S3 service that the S3 store uses.' }),
  ),
  s3Region: text('IMAGES_S3_REGION', {
    about: 'Region that requests of the S3 store are signed for.',
    default: 'us-east-1',
  }),
  s3Bucket: optional(
    text('IMAGES_S3_BUCKET', { about: 'Bucket of the S3 store; it exists already.' }),
  ),
  s3Prefix: text('IMAGES_S3_PREFIX', {
    about: 'What the names of all objects of the S3 store begin with.',
    default: 'images/',
  }),
  s3AccessKey: optional(
    text('IMAGES_S3_ACCESS_KEY', { about: 'Access key of the S3 store.', secret: true }),
  ),
  s3SecretKey: optional(
    text('IMAGES_S3_SECRET_KEY', { about: 'Secret key of the S3 store.', secret: true }),
  ),
};

/** The location of the S3 store's objects. */
export type S3Location = Readonly<ReturnType<typeof s3Location>>;

/** @throws SettingError naming the first required variable that is missing */
export function s3Location(config: Values<typeof s3Settings>) {
  const given = (key: keyof typeof s3Settings): string => {
    const value = config[key];
    if (value !== undefined) return value;
    throw new SettingError(`${s3Settings[key].env} is required if IMAGES_STORE is s3`);
  };
  return {
    endpoint: given('s3Endpoint'),
    region: given('s3Region'),
    bucket: given('s3Bucket'),
    prefix: given('s3Prefix'),
    accessKey: given('s3AccessKey'),
    secretKey: given('s3SecretKey'),
  };
}
