import { describe, expect, it } from '@jest/globals';
import { addressIn, ServiceAddresses } from './service-addresses.js';

const DOOR = 'http://169.254.169.254:8080';
const guest = { protocol: 'http', host: '169.254.169.254:8080' } as const;
const other = { protocol: 'http', host: '127.0.0.1:8080' } as const;

const addresses = (publicUrl?: string): ServiceAddresses =>
  new ServiceAddresses({ publicUrl, guestDoorUrl: DOOR }, '/compute');

describe('the address of a service', () => {
  it('is the public URL, and one below the guest ingress for guests', () => {
    const shown = addresses('https://cloud.example/compute');
    expect(shown.baseUrl(other)).toBe('https://cloud.example/compute');
    expect(shown.baseUrl(guest)).toBe(`${DOOR}/compute`);
  });

  it('is the requested one without a public URL', () => {
    expect(addresses().baseUrl(other)).toBe('http://127.0.0.1:8080');
    expect(addresses().baseUrl(guest)).toBe(DOOR);
    expect(addresses().guestView(guest)).toBeUndefined();
  });

  it('is public for guests too if the service has its own port', () => {
    const publicUrl = 'http://cloud.example:9000';
    const shown = new ServiceAddresses({ publicUrl, guestDoorUrl: DOOR }, '');
    expect(shown.baseUrl(guest)).toBe(publicUrl);
  });

  it('is public for guests too without an ingress', () => {
    const shown = addresses('http://cloud.example:8774');
    expect(shown.baseUrl(guest)).toBe('http://cloud.example:8774');
    expect(shown.guestView(guest)).toBeUndefined();
  });
});

describe('a URL for guests', () => {
  const view = addresses('http://cloud.example/compute').guestView(guest);

  it.each([
    ['http://cloud.example', DOOR],
    ['http://cloud.example/identity/v3', `${DOOR}/identity/v3`],
    ['http://cloud.example:9000', 'http://cloud.example:9000'],
    ['http://cloud.example.org/compute', 'http://cloud.example.org/compute'],
    ['https://cloud.example/compute', 'https://cloud.example/compute'],
  ])('is for %s %s', (url, seen) => {
    expect(addressIn(view, url)).toBe(seen);
    expect(addressIn(undefined, url)).toBe(url);
  });
});
