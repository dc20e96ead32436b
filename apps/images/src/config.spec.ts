import { describe, expect, it } from '@jest/globals';
import { loadImagesConfig } from './config.js';

const REQUIRED = {
  IMAGES_DATABASE_URL: 'postgres://localhost/images',
  CUMULET_IDENTITY_URL: 'http://localhost:5000',
  CUMULET_SERVICE_PASSWORD: 'secret',
};

describe('loadImagesConfig', () => {
  it('needs a database, identity and a password only', () => {
    expect(loadImagesConfig(REQUIRED)).toMatchObject({
      port: 9292,
      store: 'file',
      imageSizeLimit: 1024 ** 4,
      imageQuota: 100,
    });
  });

  it.each([
    ['IMAGES_STORE', 'tape', 'IMAGES_STORE must be one of file, s3, memory; "tape" is not'],
    ['IMAGES_SIZE_LIMIT', '0', 'IMAGES_SIZE_LIMIT must be an integer from 1'],
    ['IMAGES_QUOTA_STAGING_BYTES', '-2', 'IMAGES_QUOTA_STAGING_BYTES must be an integer from -1'],
    ['IMAGES_QUOTA_COUNT', '-2', 'IMAGES_QUOTA_COUNT must be an integer from -1'],
  ])('names a bad %s', (name, value, message) => {
    expect(() => loadImagesConfig({ ...REQUIRED, [name]: value })).toThrow(message);
  });
});
