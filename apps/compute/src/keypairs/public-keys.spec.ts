import { describe, expect, it } from '@jest/globals';
import { fingerprintOf } from './public-keys.js';

/** With the fingerprints of `ssh-keygen -E md5 -l`. */
const KEYS = [
  [
    '07:2f:8a:b5:72:13:ca:b8:93:13:5d:0d:c1:7a:a9:84',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOAMj0mdXwyjOvr+sPtZxr5FVKjANMWCM8F/8Kjx5SQU demo@laptop',
  ],
  [
    'ee:bd:94:6f:4e:9b:37:ff:49:af:8f:c1:e1:3c:2a:d4',
    'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBNnSj6h/EkNZ8a87WacRZV8LKXl8x3s+nNTomqyw11mdmkK2/UOkSbMqN45yIALLXJIbWO+QWvGLzxCVTYfazJA=',
  ],
  [
    '42:97:39:52:b8:ce:a2:ee:57:b9:bd:3c:e6:af:ab:62',
    'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQCwq2AGoNaS4oMcu0JlOOcnydgLALKW6Yx/AsliiWqK1s5G2f1BQeMDkv7HL7Cpk7mLGDNIcPJXYLDJjffR5JhdPOEL3HOVuYSQk/1SUbyfgjeSsc3MoAPMfUkuj1F5r3lhv4rPgMwTOVtA27piuiOU3QZ21mN7ck5el/UAGvv6tw== a comment\n',
  ],
] as const;

describe('the fingerprint of an SSH key', () => {
  it.each(KEYS)('is %s', (fingerprint, key) => {
    expect(fingerprintOf('ssh', key)).toBe(fingerprint);
  });

  it.each([
    ['options before it', `no-pty ${KEYS[0][1]}`],
    ['a line after it', `${KEYS[0][1]}\ncommand`],
    ['half of it', KEYS[2][1].slice(0, 60)],
    ['the name of another type', KEYS[0][1].replace('ssh-ed25519', 'ssh-rsa')],
    ['more bytes than the key has', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIQ=='],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ])('is refused with %s', (_, key) => {
    expect(() => fingerprintOf('ssh', key)).toThrow('Keypair data is invalid: failed to');
  });
});
